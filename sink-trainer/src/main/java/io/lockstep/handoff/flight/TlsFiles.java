package io.lockstep.handoff.flight;

import java.io.Serializable;
import javax.annotation.Nullable;

/**
 * The files with which servers encrypt and clients verify. The paths are the same on every host.
 *
 * @param certificate the server's certificate chain as PEM, issued for the name of its host
 * @param key its private key as PEM (PKCS 8)
 * @param ca the CA certificates as PEM with which clients verify; null for the system's
 *     certificates
 */
public record TlsFiles(String certificate, String key, @Nullable String ca)
        implements Serializable {}

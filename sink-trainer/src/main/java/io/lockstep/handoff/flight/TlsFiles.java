package io.lockstep.handoff.flight;

import java.io.Serializable;
import javax.annotation.Nullable;

/**
 * The files, the same paths on every host, with which servers encrypt and clients verify.
 *
 * @param certificate the server's certificate chain as PEM, for the name of its host
 * @param key its private key as PEM (PKCS 8)
 * @param ca the certificates as PEM that clients verify by; null for those of their system
 */
public record TlsFiles(String certificate, String key, @Nullable String ca)
        implements Serializable {}

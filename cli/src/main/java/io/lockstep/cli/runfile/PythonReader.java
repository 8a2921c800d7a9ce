package io.lockstep.cli.runfile;

import io.lockstep.UserException;
import io.lockstep.python.PythonCode;
import io.lockstep.python.PythonSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.python.PythonTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads how Python functions run, with their source: that of {@code code} where a run directory
 * recorded it, else the files of {@code files} and the modules beside the run file.
 */
final class PythonReader {

    private final SectionReader section;
    private final Path base;

    /**
     * @param base the directory that relative paths start from
     */
    PythonReader(SectionReader section, Path base) {
        this.section = section;
        this.base = base;
    }

    /** Returns the streams with settings for their Python functions. */
    List<StreamSpec> applyTo(List<StreamSpec> streams) {
        List<String> modules =
                streams.stream()
                        .flatMap(stream -> stream.transforms().stream())
                        .flatMap(transform -> PythonTransform.module(transform).stream())
                        .distinct()
                        .toList();
        if (modules.isEmpty()) {
            return streams;
        }
        PythonSettings settings = settings(modules);
        return streams.stream()
                .map(
                        stream ->
                                stream.with(
                                        stream.transforms().stream()
                                                .map(each -> with(each, settings))
                                                .toList()))
                .toList();
    }

    private static TransformSpec with(TransformSpec transform, PythonSettings settings) {
        return PythonTransform.module(transform).isPresent() ? transform.with(settings) : transform;
    }

    private PythonSettings settings(List<String> modules) {
        PythonSettings standard = PythonSettings.defaults();
        String command = section.get(Schema.PYTHON_COMMAND, null);
        return new PythonSettings(
                command == null || command.indexOf('/') < 0 ? command : local(command).toString(),
                section.get(Schema.WORKERS, standard.workers()),
                section.get(Schema.TIMEOUT, standard.timeout()),
                section.get(Schema.MEMORY, standard.memory()),
                code(modules));
    }

    private PythonCode code(List<String> modules) {
        Map<String, String> recorded = section.get(Schema.CODE, null);
        if (recorded != null) {
            return new PythonCode(new TreeMap<>(recorded));
        }
        List<Path> paths = new ArrayList<>();
        section.get(Schema.FILES, List.<String>of()).forEach(file -> paths.add(local(file)));
        modules.forEach(module -> besides(module, paths).ifPresent(paths::add));
        try {
            return PythonCode.read(paths);
        } catch (UserException e) {
            throw section.fault("python.files: " + e.getMessage());
        }
    }

    /** The module or package beside the run file, unless it is named. */
    private Optional<Path> besides(String module, List<Path> named) {
        List<Path> places = List.of(base.resolve(module + ".py"), base.resolve(module));
        List<Path> names = places.stream().map(Path::getFileName).toList();
        if (named.stream().anyMatch(path -> names.contains(path.getFileName()))) {
            return Optional.empty();
        }
        return places.stream().filter(Files::exists).findFirst();
    }

    private Path local(String written) {
        return base.resolve(Paths.expand(written)).normalize();
    }
}

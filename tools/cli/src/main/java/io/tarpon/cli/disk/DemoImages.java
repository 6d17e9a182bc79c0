package io.tarpon.cli.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.console.Console;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.imageio.ImageIO;

/// A labelled image set for the demo: shapes on noisy ground, `train/<class>/000000.jpg` with its label in
/// `000000.cls`.
/// The pictures come from a fixed seed, so every machine makes the same ones.
public final class DemoImages {
    private static final List<String> CLASSES = List.of("circle", "cross", "square", "triangle");
    private static final Map<String, Integer> PER_CLASS = new TreeMap<>(Map.of("train", 625, "val", 125));
    private static final int PIXELS = 128;
    private static final long SEED = 7070;

    private DemoImages() {}

    /// Makes what is not there yet; a set that was made whole before is left alone.
    public static void make(Path folder, Console console) {
        var done = folder.resolveSibling(folder.getFileName() + ".done");
        if (Files.exists(done) && Files.isDirectory(folder)) {
            return;
        }
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
        var total = PER_CLASS.values().stream().mapToInt(Integer::intValue).sum() * CLASSES.size();
        try (var progress = console.progress("drawing pictures", total)) {
            int drawn = 0;
            var random = new Random(SEED);
            for (var split : PER_CLASS.entrySet()) {
                for (int label = 0; label < CLASSES.size(); label++) {
                    var classFolder = folder.resolve(split.getKey()).resolve(CLASSES.get(label));
                    Files.createDirectories(classFolder);
                    for (int number = 0; number < split.getValue(); number++) {
                        write(classFolder, number, label, random);
                        progress.at(++drawn, CLASSES.get(label));
                    }
                }
            }
            Files.writeString(done, "");
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot make the demo's pictures in " + folder + ": " + e, "check its rights and the free space");
        }
    }

    private static void write(Path folder, int number, int label, Random random) throws IOException {
        var name = String.format(Locale.ROOT, "%06d", number);
        var picture = draw(label, random);
        if (!ImageIO.write(picture, "jpg", folder.resolve(name + ".jpg").toFile())) {
            throw new IOException("this JDK writes no JPEG");
        }
        Files.writeString(folder.resolve(name + ".cls"), Integer.toString(label));
    }

    private static BufferedImage draw(int label, Random random) {
        var picture = new BufferedImage(PIXELS, PIXELS, BufferedImage.TYPE_INT_RGB);
        var graphics = picture.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setPaint(new GradientPaint(0, 0, colour(random), PIXELS, PIXELS, colour(random)));
        graphics.fillRect(0, 0, PIXELS, PIXELS);
        paintShape(graphics, label, random);
        graphics.dispose();
        addNoise(picture, random);
        return picture;
    }

    private static void paintShape(Graphics2D graphics, int label, Random random) {
        var scale = PIXELS * (0.2 + 0.25 * random.nextDouble());
        var place = new AffineTransform();
        place.translate(PIXELS * (0.3 + 0.4 * random.nextDouble()), PIXELS * (0.3 + 0.4 * random.nextDouble()));
        place.rotate(random.nextDouble() * 2 * Math.PI);
        place.scale(scale, scale);
        var shape = place.createTransformedShape(shape(label));
        graphics.setColor(colour(random));
        graphics.fill(shape);
        graphics.setColor(colour(random));
        graphics.setStroke(new BasicStroke(2));
        graphics.draw(shape);
    }

    /// A shape of radius 1 around the origin.
    private static Shape shape(int label) {
        return switch (CLASSES.get(label)) {
            case "circle" -> new Ellipse2D.Double(-1, -1, 2, 2);
            case "square" -> new Rectangle2D.Double(-0.8, -0.8, 1.6, 1.6);
            case "triangle" -> polygon(0, -1, 0.9, 0.6, -0.9, 0.6);
            default ->
                polygon(
                        -0.3, -1, 0.3, -1, 0.3, -0.3, 1, -0.3, 1, 0.3, 0.3, 0.3, 0.3, 1, -0.3, 1, -0.3, 0.3, -1, 0.3,
                        -1, -0.3, -0.3, -0.3);
        };
    }

    private static Shape polygon(double... coordinates) {
        var path = new Path2D.Double();
        path.moveTo(coordinates[0], coordinates[1]);
        for (int i = 2; i < coordinates.length; i += 2) {
            path.lineTo(coordinates[i], coordinates[i + 1]);
        }
        path.closePath();
        return path;
    }

    private static Color colour(Random random) {
        return new Color(random.nextInt(256), random.nextInt(256), random.nextInt(256));
    }

    private static void addNoise(BufferedImage picture, Random random) {
        for (int y = 0; y < PIXELS; y++) {
            for (int x = 0; x < PIXELS; x++) {
                var pixel = picture.getRGB(x, y);
                var noise = random.nextInt(48) - 24;
                picture.setRGB(x, y, shift(pixel, 16, noise) | shift(pixel, 8, noise) | shift(pixel, 0, noise));
            }
        }
    }

    private static int shift(int pixel, int bits, int noise) {
        return Math.clamp(((pixel >> bits) & 0xff) + noise, 0, 255) << bits;
    }
}

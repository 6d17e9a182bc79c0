package io.tarpon.ingest.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalSortTest {
    @TempDir
    Path folder;

    @Test
    void sortsLikeASortInMemoryWhateverMemoryAndRecordsAre() throws Exception {
        long seed = System.nanoTime();
        System.out.println("ExternalSortTest seed=" + seed);
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 30; round++) {
            var records = records(random, random.nextInt(3000));
            int memoryBytes = 1 << random.nextInt(5, 20);
            var spool = new SpoolArea(folder, 1 << 30);
            try (var sort = new ExternalSort(spool, memoryBytes)) {
                for (var record : records) {
                    sort.add(record, 0, record.length);
                }
                records.sort(Arrays::compareUnsigned);
                assertThat(all(sort.open())).containsExactlyElementsOf(records);
                assertThat(all(sort.open())).as("read a second time").containsExactlyElementsOf(records);
            }
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @Test
    void moreRunsThanAreMergedAtATimeAreMergedInSteps() throws Exception {
        var spool = new SpoolArea(folder, 1 << 30);
        try (var sort = new ExternalSort(spool, 1)) {
            for (int i = 999; i >= 0; i--) {
                sort.add(new byte[] {(byte) (i >> 8), (byte) i}, 0, 2);
            }
            var sorted = all(sort.open());
            for (int i = 0; i < 1000; i++) {
                assertThat(sorted.get(i)).containsExactly(i >> 8, i & 0xff);
            }
        }
    }

    @Test
    void aRecordAsLongAsAllowedPassesAndOneByteMoreIsRefused() throws Exception {
        var spool = new SpoolArea(folder, 1 << 30);
        try (var sort = new ExternalSort(spool, 1 << 10)) {
            var longest = new byte[RecordFile.MAX_RECORD_BYTES];
            sort.add(longest, 0, longest.length);
            sort.add(new byte[] {1}, 0, 1);
            assertThat(all(sort.open())).containsExactly(longest, new byte[] {1});
        }
        try (var sort = new ExternalSort(spool, 1 << 10)) {
            var over = new byte[RecordFile.MAX_RECORD_BYTES + 1];
            assertThatThrownBy(() -> sort.add(over, 0, over.length)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aFullSpoolSaysWhichSettingToRaiseAndGivesItsSpaceBack() throws Exception {
        var spool = new SpoolArea(folder, 100_000);
        var record = new byte[1000];
        try (var sort = new ExternalSort(spool, 10_000)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200; i++) {
                            sort.add(record, 0, record.length);
                        }
                    })
                    .isInstanceOf(SpoolException.class)
                    .hasMessageContaining("tarpon.ingest.spool-capacity")
                    .hasMessageContaining("100000");
        }
        assertThat(spool.usedBytes()).isZero();
    }

    @Test
    void scratchFilesHaveNoNames() throws Exception {
        var spool = new SpoolArea(folder, 1 << 20);
        try (var file = new RecordFile(spool)) {
            file.add(new byte[] {1, 2, 3}, 0, 3);
            file.finish();
            try (var listed = Files.list(folder)) {
                assertThat(listed).isEmpty();
            }
            assertThat(all(file.open())).containsExactly(new byte[] {1, 2, 3});
        }
    }

    private static List<byte[]> records(SplittableRandom random, int count) {
        var records = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            var record = new byte[random.nextInt(1, random.nextInt(100) == 0 ? 70_000 : 30)];
            random.nextBytes(record);
            records.add(record);
        }
        return records;
    }

    private static List<byte[]> all(Records records) throws SpoolException {
        var all = new ArrayList<byte[]>();
        while (records.next()) {
            all.add(Arrays.copyOfRange(records.bytes(), records.from(), records.from() + records.length()));
        }
        return all;
    }
}

package dev.tutti.testkit.scenario;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A fleet as a grid: a row for each node, a field for each device, a letter for each job that was placed there. */
public final class GridPicture {

    private GridPicture() {}

    /** Draws the state before, and on it what the plan places. {@code names} are the jobs' names. */
    public static String of(Snapshot before, Plan plan, List<WaitingJob> jobs, Map<JobId, String> names) {
        FleetArrays fleet = before.fleet();
        String[] field = new String[fleet.devices()];
        for (int d = 0; d < field.length; d++) {
            field[d] = start(fleet, d);
        }
        StringBuilder legend = new StringBuilder();
        Map<Integer, StringBuilder> cpuOnly = new HashMap<>();
        char letter = 'A';
        for (Plan.Placement placement : plan.placements()) {
            legend.append("  ")
                    .append(letter)
                    .append(" = ")
                    .append(names.get(placement.job()))
                    .append('\n');
            for (Plan.PodPlacement pod : placement.members()) {
                for (long device : pod.devices()) {
                    int d = AppliedPlan.indexOf(fleet.deviceId(), device);
                    field[d] = pod.mig() == null ? field[d] + letter : cut(field[d], pod.mig(), letter);
                }
                if (!pod.nics().isEmpty()) {
                    legend.append("      NICs of groups ").append(pod.nics()).append('\n');
                }
                if (pod.devices().isEmpty()) {
                    int n = Arrays.binarySearch(fleet.nodeId(), pod.node().value());
                    cpuOnly.computeIfAbsent(n, node -> new StringBuilder()).append(letter);
                }
            }
            letter = letter == 'Z' ? 'a' : (char) (letter + 1);
        }
        return rows(before, field, cpuOnly) + legend + waits(plan, names);
    }

    private static String start(FleetArrays fleet, int d) {
        if (fleet.deviceWhole()[d] == 0) {
            return "x";
        }
        if (fleet.deviceUnits()[d] != 0) {
            StringBuilder units = new StringBuilder();
            for (int unit = 0; unit < MigLayout.UNITS; unit++) {
                units.append((fleet.deviceUnits()[d] & 1 << unit) == 0 ? '.' : '#');
            }
            return units.toString();
        }
        int used = 1_000 - fleet.deviceFreeMilli()[d];
        return used == 0 ? "." : used == 1_000 ? "#" : "#" + used;
    }

    /** The memory units of a device that is cut, one by one. */
    private static String cut(String field, MigInstance instance, char letter) {
        StringBuilder units = new StringBuilder(field.equals(".") ? ".".repeat(MigLayout.UNITS) : field);
        for (int unit = instance.start(); unit < instance.start() + instance.units(); unit++) {
            units.setCharAt(unit, letter);
        }
        return units.toString();
    }

    private static String rows(Snapshot before, String[] field, Map<Integer, StringBuilder> cpuOnly) {
        FleetArrays fleet = before.fleet();
        StringBuilder picture = new StringBuilder(
                "  . free  # held  x sick  | island  (eight signs: the memory units of a GPU that is cut)\n");
        for (int n = 0; n < fleet.nodes(); n++) {
            picture.append(String.format(
                    "  %-10s %-8s %s%s [",
                    before.names().nodes().get(n),
                    before.names().flavors().get(fleet.flavor()[n]),
                    domains(before, n),
                    fleet.open()[n] ? "" : " closed"));
            for (int d = fleet.firstDevice()[n]; d < fleet.firstDevice()[n + 1]; d++) {
                boolean border = d > fleet.firstDevice()[n] && fleet.island()[d] != fleet.island()[d - 1];
                picture.append(border ? "|" : " ").append(field[d]);
            }
            picture.append(" ] cpu ").append(fleet.cpuFreeMilli()[n]);
            picture.append(nics(fleet.nics(), n));
            picture.append(TestRules.picture(before.names().traits().get(n)));
            picture.append(" ")
                    .append(cpuOnly.getOrDefault(n, new StringBuilder()))
                    .append('\n');
        }
        return picture.toString();
    }

    private static String nics(FleetNics nics, int n) {
        StringBuilder text = new StringBuilder();
        for (int g = nics.firstGroup()[n]; g < nics.firstGroup()[n + 1]; g++) {
            text.append(' ').append(nics.resource()[g]);
            text.append(nics.place()[g] < 0 ? "" : "@" + nics.place()[g]);
            text.append(' ').append(nics.free()[g]).append('/').append(nics.count()[g]);
        }
        return text.toString();
    }

    private static String domains(Snapshot before, int n) {
        StringBuilder path =
                new StringBuilder(before.names().clusters().get(before.fleet().cluster()[n]));
        for (int level = 0; level < before.names().levels().size(); level++) {
            int domain = before.fleet().domain()[level][n];
            path.append('/')
                    .append(
                            domain < 0
                                    ? "-"
                                    : lastPart(
                                            before.names().domains().get(level).get(domain)));
        }
        return path.toString();
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String waits(Plan plan, Map<JobId, String> names) {
        StringBuilder text = new StringBuilder();
        for (Plan.Wait wait : plan.waits()) {
            text.append("  ")
                    .append(names.get(wait.job()))
                    .append(" waits ")
                    .append(wait.reason().code())
                    .append(": ")
                    .append(wait.reason().detail())
                    .append('\n');
        }
        return text.toString();
    }
}

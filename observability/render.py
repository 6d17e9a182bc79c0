#!/usr/bin/env python3
"""Draws dashboard.json as a picture from the metrics of the running local cluster.

A Prometheus of its own (`prometheus` on PATH) scrapes every service that `tarpon status` names and answers the panels'
queries; matplotlib draws them where Grafana would put them. Loopback only; nothing is left behind but the picture.

usage: render.py [--minutes 3] [--port 9099] OUT.png        work meanwhile: ingest, verify, bench
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
STEP_SECONDS = 5
RATE_WINDOW = "20s"
GRID_COLUMNS = 24


def targets():
    """The services with metrics: (name, host:port)."""
    status = json.loads(subprocess.check_output([HERE.parent / "tarpon", "status", "--json"]))
    for process in status["processes"]:
        url = urllib.parse.urlparse(process["url"] or "")
        if process["state"] == "up" and url.scheme == "http" and process["name"] not in ("kafka", "s3"):
            yield process["name"], url.netloc


def configuration(services):
    jobs = [
        {"job_name": name, "metrics_path": "/q/metrics", "static_configs": [{"targets": [address]}]}
        for name, address in services
    ]
    return json.dumps({"global": {"scrape_interval": f"{STEP_SECONDS}s"}, "scrape_configs": jobs})


def query(base, expression, start, end):
    expression = expression.replace("$__rate_interval", RATE_WINDOW)
    parameters = urllib.parse.urlencode({"query": expression, "start": start, "end": end, "step": STEP_SECONDS})
    with urllib.request.urlopen(f"{base}/api/v1/query_range?{parameters}") as answer:
        return json.load(answer)["data"]["result"]


def label(target, metric):
    text = target["legendFormat"]
    for name, value in metric.items():
        text = text.replace("{{" + name + "}}", value)
    return text


def draw(panel, axes, base, start, end):
    axes.set_title(panel["title"], fontsize=9, loc="left")
    unit = panel["fieldConfig"]["defaults"]["unit"]
    for target in panel["targets"]:
        for series in query(base, target["expr"], start, end):
            points = [(float(at) - start, float(value)) for at, value in series["values"] if value != "NaN"]
            if points:
                axes.plot(*zip(*points), label=label(target, series["metric"]), linewidth=1.2)
    if axes.lines:
        axes.legend(fontsize=6, loc="upper left")
    axes.set_ylim(bottom=0)
    axes.tick_params(labelsize=6)
    axes.set_ylabel(unit, fontsize=6)
    axes.grid(alpha=0.3)


def render(dashboard, base, start, end, out):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = max(p["gridPos"]["y"] + p["gridPos"]["h"] for p in dashboard["panels"])
    figure = pyplot.figure(figsize=(16, rows / 3), dpi=100)
    grid = figure.add_gridspec(rows, GRID_COLUMNS, hspace=5, wspace=4)
    for panel in dashboard["panels"]:
        at = panel["gridPos"]
        place = grid[at["y"] : at["y"] + at["h"], at["x"] : at["x"] + at["w"]]
        draw(panel, figure.add_subplot(place), base, start, end)
    figure.suptitle(f"{dashboard['title']}: {int(end - start)} s", fontsize=11)
    figure.savefig(out, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--port", type=int, default=9099)
    parser.add_argument("out", metavar="OUT.png")
    options = parser.parse_args()
    dashboard = json.loads((HERE / "dashboard.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        config = pathlib.Path(scratch, "prometheus.yml")
        config.write_text(configuration(targets()))
        base = f"http://127.0.0.1:{options.port}"
        prometheus = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={scratch}/data",
             f"--web.listen-address=127.0.0.1:{options.port}", "--log.level=error"])
        try:
            start = time.time()
            time.sleep(options.minutes * 60)
            render(dashboard, base, start, time.time(), options.out)
        finally:
            prometheus.terminate()
            prometheus.wait()
    print(f"{options.out}: {len(dashboard['panels'])} panels, {options.minutes:g} minutes")


if __name__ == "__main__":
    main()

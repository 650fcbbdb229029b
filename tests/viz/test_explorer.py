"""The explorer page in a real browser: headless Chromium, driven by Selenium; skipped where there is none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest

from lvc import Graph, LvcError, compare, parse_search
from lvc.colouring.refinement import refinement
from lvc.expressivity.named import NAMED_PAIRS
from lvc.expressivity.pair_colours import stable_pair_colours
from lvc.graph6 import encode
from lvc.viz.explore import built_in_examples, explorer_page, write_explorer

pytest.importorskip("matplotlib")
pytest.importorskip("mpld3", reason="the page needs d3, which mpld3 ships")
webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium, which drives the browser")
from selenium.webdriver import ActionChains  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SEARCHES = ("wl", "bfs:1", "bfs:2", "bfs:inf", "dfs:1", "dfs:2", "dfs:inf", "levels:1", "levels:2", "bfs:2+dfs:1")


@pytest.fixture(scope="module")
def driver():
    """A browser that keeps what it logs and what it fetches."""
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("needs Chromium and its driver: make test-browser installs them")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(programs[1]))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    write_explorer(path)
    return path.as_uri()


@pytest.fixture
def page(driver, address):
    return opened(driver, address)


def opened(driver, address):
    driver.get("about:blank")  # so that another #... loads the page anew
    driver.get(address)
    return driver


def by_css(page, selector):
    return page.find_element("css selector", selector)


def text_of(page, selector):
    return by_css(page, selector).text


def choose(page, selector, value):
    by_css(page, f"{selector} option[value='{value}']").click()


def write_search(page, text):
    field = by_css(page, "#search")
    field.clear()
    field.send_keys(text, "\n")


def as_json(graph):
    labels = None if graph.labels is None else graph.labels.tolist()
    return json.dumps([graph.n, graph.edges().tolist(), None, labels])


def rounds_in_page(page, graphs, search):
    """The vertex colours of every round, as the page computes them for the union of ``graphs``."""
    made = ", ".join(f"makeGraph(...{as_json(graph)})" for graph in graphs)
    union = f"unionOf({made})" if len(graphs) == 2 else made
    script = f"return new Colouring({union}, '{search}').rounds.map((round) => Array.from(round.vertex))"
    return page.execute_script(script)


def rounds_of_library(graphs, search):
    return [vertex.tolist() for vertex in refinement(graphs, parse_search(search))]


def test_nothing_is_fetched_and_nothing_complained_of(driver, address):
    driver.get_log("browser"), driver.get_log("performance")
    page = opened(driver, address)
    by_css(page, "#back").click(), write_search(page, "dfs:2")
    assert [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"] == []
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert any(url.startswith("file:") for url in sent)
    assert [url for url in sent if not url.startswith(("file:", "about:", "data:"))] == []


@pytest.mark.parametrize("example", built_in_examples(), ids=lambda example: example.name)
def test_colours_are_the_library_s_on_the_named_graphs(page, example):
    for search in SEARCHES:
        assert rounds_in_page(page, example.graphs, search) == rounds_of_library(example.graphs, search), search


def test_colours_are_the_library_s_on_random_graphs(page):
    """Several components, isolated vertices, labels, cut vertices, dense balls; one graph and two."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        graphs = []
        for _ in range(int(rng.integers(1, 3))):
            n = int(rng.integers(1, 12))
            made = Graph.from_networkx(nx.gnp_random_graph(n, rng.uniform(0.1, 0.7), seed=int(rng.integers(10**6))))
            graphs.append(made.with_labels(rng.integers(0, 2, n)))
        for search in SEARCHES:
            assert rounds_in_page(page, graphs, search) == rounds_of_library(graphs, search), search


def test_the_test_of_colours_can_fail(page):
    hexagon = Graph.from_networkx(nx.cycle_graph(6))
    path = Graph.from_networkx(nx.path_graph(6))
    assert rounds_in_page(page, [hexagon], "bfs:2") != rounds_of_library([path], "bfs:2")


@pytest.mark.parametrize(("name", "search"), [("triangles", "bfs:2"), ("rook", "dfs:1"), ("pentagons", "bfs:2")])
def test_the_verdict_is_the_library_s(driver, address, name, search):
    page = opened(driver, f"{address}#example={name}&search={search}")
    found = compare(*NAMED_PAIRS[name].make(), search)
    assert (f"Told apart by {search} in round {found.round}" in text_of(page, "#verdict")) == found.told_apart
    assert ("does not tell" in text_of(page, "#verdict")) != found.told_apart


def test_stepping_through_rounds(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=wl&round=0")
    shown = []
    for _ in range(3):
        circles = page.find_elements("css selector", "#panel0 g.vertex")
        shown.append([int(circle.get_attribute("data-colour")) for circle in circles])
        by_css(page, "#forth").click()
    barbell = built_in_examples()[[e.name for e in built_in_examples()].index("barbell")].graphs
    assert shown == rounds_of_library(barbell, "wl")[:3]
    assert text_of(page, "#roundtext").startswith("round 3 of 3, stable")
    by_css(page, "body").send_keys("\ue012")  # arrow left
    assert text_of(page, "#roundtext") == "round 2 of 3"


def test_hovering_shows_the_recipe_and_eta(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=dfs:inf&round=1&root=0+0")
    ActionChains(page).move_to_element(page.find_elements("css selector", "#panel0 g.vertex .fill")[6]).perform()
    assert text_of(page, "#recipe h2") == "Vertex 6 has 3"
    assert "is in 8 balls of dfs:inf:" in text_of(page, "#recipe")
    assert text_of(page, ".members") == "5 6 7 8"  # its triangle and the bridge to it
    assert len(page.find_elements("css selector", "#panel0 path.arrow")) == 3


def test_kind_radius_and_words_follow_each_other(page):
    choose(page, "#kind", "dfs")
    assert by_css(page, "#search").get_property("value") == "dfs:2"
    write_search(page, "levels:inf")
    assert by_css(page, "#kind").get_property("value") == "levels"
    assert by_css(page, "#infinite").is_selected()
    write_search(page, "nest:1(wl)")
    assert 'does not know the search "nest:1(wl)"' in text_of(page, "#message")
    write_search(page, "bfs:0")
    assert text_of(page, "#message") == "radius must be at least 1, got 0"
    by_css(page, "#panel0 g.vertex").send_keys("e")  # the page goes on with the search it had
    assert page.execute_script("return state.search") == "levels:inf"
    write_search(page, "bfs:1")
    assert not by_css(page, "#message").is_displayed()


def test_an_address_with_an_unknown_search(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=quick")
    assert 'does not know the search "quick"' in text_of(page, "#message")
    assert text_of(page, "#panel0 figcaption").startswith("9 vertices, 11 edges")


@pytest.mark.parametrize(
    "odd", ["round=abc", "round=-3", "round=1.5", "root=0+-1", "root=0+0.5", "root=5+5", "first=0+0", "example=none"]
)
def test_an_odd_address_shows_what_it_can(driver, address, odd):
    driver.get_log("browser")
    page = opened(driver, f"{address}#example=barbell&search=bfs:2+dfs:1&{odd}")
    assert text_of(page, "#roundtext").endswith(", stable")
    assert by_css(page, "#search").get_property("value") == "bfs:2+dfs:1"
    assert by_css(page, "#root").get_property("value") == ""
    assert [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"] == []


def test_an_address_keeps_graphs_of_one_s_own(page):
    load(page, "0 1\n1 2\n2 3")
    page.find_element("css selector", "#panel0 g.vertex").send_keys("\ue007")  # enter: the root
    WebDriverWait(page, 5).until(lambda page: "first=" in page.current_url and "root=0+0" in page.current_url)
    again = opened(page, page.current_url)
    assert text_of(again, "#panel0 figcaption").startswith("4 vertices, 3 edges")
    assert by_css(again, "#example").get_property("value") == "own"
    assert by_css(again, "#root").get_property("value") == "0 0"


def test_the_verdict_speaks_of_the_round_that_decides(driver, address):
    """Paths of three and five vertices differ in round 0, where all have one colour; later rounds change nothing."""
    page = opened(driver, f"{address}#first=0+1%0A1+2&second=0+1%0A1+2%0A2+3%0A3+4&search=bfs:2")
    sentence = "Told apart by bfs:2 in round 0: there colour 0 is on 3 vertices of the first graph and 5 of the second."
    assert text_of(page, "#verdict") == sentence


def test_recipes_are_the_library_s(page):
    """A pair's recipe, colour by colour, against λ_v(u) = φ(λ(u), η) computed slowly by the claims report."""
    barbell = next(example.graphs[0] for example in built_in_examples() if example.name == "barbell")
    for search in ("bfs:2", "dfs:inf"):
        theirs = stable_pair_colours([barbell], search).of_pair()
        script = f"""const made = new Colouring(makeGraph(...{as_json(barbell)}), '{search}');
            const last = made.rounds[made.rounds.length - 1].pairs[0];
            return made.pairs[0].vertex.map((u, pair) => [u, made.pairs[0].root[pair], last[pair]])"""
        ours = {(0, u, v): colour for u, v, colour in page.execute_script(script)}
        assert ours.keys() == theirs.keys()
        together = {(ours[pair], theirs[pair]) for pair in ours}
        assert len(together) == len(set(ours.values())) == len(set(theirs.values()))  # one partition of the pairs


def test_what_takes_too_long_is_given_up_and_said(page):
    stopped = page.execute_script(
        "const path = makeGraph(60, d3.range(59).map((i) => [i, i + 1]));"
        "const made = new Colouring(path, 'bfs:inf', performance.now() - 1); return [made.rounds.length, made.stable]"
    )
    assert stopped == [2, False]
    whole = page.execute_script("const made = new Colouring(makeGraph(2, [[0, 1]]), 'wl'); return made.stable")
    assert whole is True


TEXTS = [
    "0 1\n1 2",
    "a b\nb c",
    "0,1\n1,2",
    "0\t1\r\n1\t2",
    "# vertices: 4\n0 1",
    "# vertices: 4 edges: 1\n0 1",
    "source target\n0 1",
    "0 1\n1 -2",
    "0 1\n1 2.5",
    "0 nan",
    "# vertices: 3 edges: 7\n0 1",
    "0 1\n# vertices: 3",
    "# vertices: 3\n# vertices: 3\n0 1",
    "# vertices: x\n0 1",
    "# vertices: 1\n0 1",
    "0 1 2",
    "0 0",
    "0 1\n1 0",
    "01 1\n1 2",
]


@pytest.mark.parametrize("text", TEXTS)
def test_both_readers_take_and_refuse_the_same(page, text, tmp_path):
    file = tmp_path / ("graph.csv" if "," in text else "graph.txt")
    file.write_text(text)
    try:
        theirs = Graph.from_file(file)
        expected = [theirs.n, sorted(theirs.edges().tolist()), None if theirs.names is None else list(theirs.names)]
    except LvcError:
        expected = None
    script = """try { const graph = readGraph(arguments[0]); return [graph.n, graph.edges.sort(), graph.names]; }
        catch (error) { if (error instanceof BadInput) return null; throw error; }"""
    assert page.execute_script(script, text) == expected


@pytest.mark.parametrize("text", ["0 1\n1 2", "a b\nb c", "# vertices: 4\n0 1", "# vertices: 0"])
def test_what_is_written_is_read_again(page, text):
    assert page.execute_script("return writeGraph(readGraph(arguments[0]))", text) == text


def test_what_somebody_types_is_not_overwritten(page):
    load(page, "0 1\n1 2\n2 2")
    by_css(page, "#back").click()
    assert by_css(page, "#panel0 textarea").get_property("value") == "0 1\n1 2\n2 2"


def test_dragging_moves_a_vertex(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=wl")
    before = page.execute_script("return state.graphs[0].place[4]")
    vertex = page.find_elements("css selector", "#panel0 g.vertex .fill")[4]
    ActionChains(page).drag_and_drop_by_offset(vertex, 40, 30).perform()
    after = page.execute_script("return state.graphs[0].place[4]")
    assert after[0] > before[0] + 10
    assert after[1] > before[1] + 10
    assert by_css(page, "#root").get_property("value") == ""  # a drag is no click


def test_a_finger_looks_first_and_then_makes_the_root(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=dfs:1&root=0+0")
    page.execute_script("press(0, 3, true)")
    assert by_css(page, "#root").get_property("value") == "0 0"
    assert text_of(page, "#recipe h2").startswith("Vertex 3 has")
    page.execute_script("press(0, 3, true)")
    assert by_css(page, "#root").get_property("value") == "0 3"


def load(page, text, panel=0):
    page.execute_script(f"document.querySelector('#panel{panel} details').open = true")
    field = by_css(page, f"#panel{panel} textarea")
    field.clear()
    field.send_keys(text)
    by_css(page, f"#panel{panel} .load").click()


def test_a_graph_can_be_pasted(page):
    petersen = Graph.from_networkx(nx.petersen_graph())
    load(page, encode(petersen.n, petersen.edges()))
    assert page.execute_script("return state.graphs[0].graph.edges.map((e) => e.join()).sort()") == sorted(
        f"{u},{v}" for u, v in petersen.edges().tolist()
    )
    load(page, "ann bob\nbob cy\n")
    assert text_of(page, "#panel0 figcaption").startswith("3 vertices, 2 edges")
    assert [e.text for e in page.find_elements("css selector", "#panel0 text.name")] == ["ann", "bob", "cy"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0 1\n1 2 3", 'line 2: an edge is two vertices, got "1 2 3"'),
        ("0 0", "vertex 0 has an edge to itself; leave it out"),
        ("0 1\n1 0", "the edge 1 0 stands there twice; write it once"),
        ("0 999", "this page draws up to 400 vertices, and this graph has 1000"),
        ("I?", "a graph6 text of 10 vertices has 8 letters behind its size, got 1"),
        ("", "there is no graph in this text; write one edge a line, e.g. 0 1"),
    ],
)
def test_a_malformed_graph_is_refused_and_the_old_one_stays(page, text, sentence):
    before = text_of(page, "#panel0 figcaption")
    load(page, text)
    assert text_of(page, "#message") == sentence
    assert text_of(page, "#panel0 figcaption") == before


def test_drawing_with_the_pointer(page):
    if by_css(page, "#toggle").text == "remove":
        by_css(page, "#toggle").click()
    page.execute_script("document.querySelector('#panel0 details').open = true")
    by_css(page, "#panel0 .empty").click()
    plane = by_css(page, "#panel0 svg")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", plane)
    for x, y in ((-60, 0), (60, 0), (0, 60)):
        ActionChains(page).move_to_element_with_offset(plane, x, y).click().perform()
    vertices = page.find_elements("css selector", "#panel0 g.vertex .fill")
    for u, v in ((0, 1), (1, 2), (0, 2), (0, 1)):  # the last one parts them again
        vertices[u].click(), vertices[v].click()
    assert page.execute_script("return state.graphs[0].graph.edges") == [[1, 2], [0, 2]]
    assert text_of(page, "#panel0 figcaption") == "3 vertices, 2 edges, 2 colours"
    by_css(page, "input[value=erase]").click()
    vertices[2].click()
    assert text_of(page, "#panel0 figcaption") == "2 vertices, 0 edges, 1 colour"


def test_the_keyboard_is_enough(driver, address):
    page = opened(driver, f"{address}#example=triangles&search=bfs:2")
    vertex = page.find_elements("css selector", "#panel0 g.vertex")
    vertex[0].send_keys("\ue007")  # enter
    assert by_css(page, "#root").get_property("value") == "0 0"
    assert ["outside" in v.get_attribute("class") for v in vertex] == [False] * 3 + [True] * 3  # the other triangle
    assert not page.find_elements("css selector", "#panel1 g.outside")  # the second graph is not searched
    vertex[0].send_keys("e"), vertex[3].send_keys("e")
    assert page.execute_script("return state.graphs[0].graph.edges.length") == 7
    vertex[5].send_keys("\ue017")  # delete
    assert page.execute_script("return [state.graphs[0].graph.n, state.graphs[0].graph.edges.length]") == [5, 5]
    place = page.execute_script("return state.graphs[0].place[0]")
    page.find_elements("css selector", "#panel0 g.vertex")[0].send_keys("\ue008\ue014\ue000")  # shift and right
    moved = page.execute_script("return state.graphs[0].place[0]")
    assert moved == [place[0] + 10, place[1]]


def test_colours_seen_from_the_root(driver, address):
    page = opened(driver, f"{address}#example=barbell&search=bfs:1&round=1&root=0+4")
    choose(page, "#shown", "pair")
    vertices = page.find_elements("css selector", "#panel0 g.vertex")
    inside = {v for v, one in enumerate(vertices) if one.get_attribute("data-colour") is not None}
    assert inside == {2, 4, 5}


def test_two_hundred_vertices_on_a_phone_in_the_dark(driver, tmp_path):
    graph = Graph.from_networkx(nx.random_geometric_graph(200, 0.11, seed=1))
    write_explorer(tmp_path / "large.html", [graph, graph.relabelled(np.arange(200)[::-1])], "bfs:inf")
    size = driver.get_window_size()
    try:
        driver.set_window_size(520, 900)  # Chromium's windows are not narrower; phones are emulated
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 780, "deviceScaleFactor": 2, "mobile": True}
        )
        page = opened(driver, (tmp_path / "large.html").as_uri())
        assert page.execute_script("return document.scrollingElement.scrollWidth") <= 360
        assert "does not tell the two graphs apart" in text_of(page, "#verdict")
        light = by_css(page, "body").value_of_css_property("background-color")
        by_css(page, "#theme").click()
        assert by_css(page, "body").value_of_css_property("background-color") != light
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.set_window_size(size["width"], size["height"])


def test_what_the_page_cannot_show_is_refused():
    triangle = Graph.from_networkx(nx.cycle_graph(3))
    with pytest.raises(LvcError, match="the page compares two graphs, got 3; give one or two"):
        explorer_page([triangle] * 3)
    with pytest.raises(LvcError, match=r"the page cannot colour by nest:1\(wl\); use bfs:R"):
        explorer_page([triangle], "nest:1(wl)")
    with pytest.raises(LvcError, match="a figure needs between 1 and 400 vertices, got 401"):
        explorer_page([Graph.from_networkx(nx.path_graph(401))])


def test_names_cannot_break_the_page(driver, tmp_path):
    odd = nx.relabel_nodes(nx.path_graph(2), {0: "</script><script>alert(1)</script>", 1: "/*D3*/"})
    write_explorer(tmp_path / "odd.html", [Graph.from_networkx(odd)])
    page = opened(driver, (tmp_path / "odd.html").as_uri())
    names = [one.text for one in page.find_elements("css selector", "#panel0 text.name")]
    assert names == ["</script><script>alert(1)</script>", "/*D3*/"]


def lvc_explore(*arguments):
    command = [sys.executable, "-m", "lvc.cli", "explore", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_the_command(tmp_path):
    out = tmp_path / "page.html"
    (tmp_path / "two.txt").write_text("a b\nb c\n")
    found = lvc_explore(tmp_path / "two.txt", "graph6:Bw", "--search", "dfs:1", "--out", out)
    assert (found.returncode, found.stdout) == (0, f"{out}: open it in a browser\n")
    data = out.read_text(encoding="utf-8").partition("const DATA = ")[2].partition(";</script>")[0]
    first = json.loads(data)["examples"][0]
    assert [(one["n"], one["edges"], one["names"]) for one in first["graphs"]] == [
        (3, [[0, 1], [1, 2]], ["a", "b", "c"]),
        (3, [[0, 1], [0, 2], [1, 2]], None),
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such-file"], "no-such-file"),
        (["graph6:Bw", "--search", "fwl2"], "the page cannot colour by fwl2"),
        (["graph6:Bw", "--search", "bfs:0"], "radius must be at least 1, got 0"),
        (["graph6:Bw", "graph6:Bw", "graph6:Bw"], "unexpected extra argument"),
    ],
)
def test_bad_input_leaves_no_page(arguments, sentence, tmp_path):
    found = lvc_explore(*arguments, "--out", tmp_path / "page.html")
    assert found.returncode == 2
    assert sentence in found.stderr
    assert not list(tmp_path.iterdir())

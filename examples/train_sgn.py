"""Train SGN-DF to find the vertices that lie on a triangle, which no message-passing network can.

python examples/train_sgn.py
"""

import networkx as nx
import torch
from torch_geometric.loader import DataLoader
from torch_geometric.utils import from_networkx

import lvc
from lvc.nn import SGN, AddSearch

torch.manual_seed(0)
search = lvc.parse_search("dfs:1")
add_search = AddSearch(search)


def example(seed: int):
    graph = nx.random_regular_graph(3, 20, seed=seed)
    data = from_networkx(graph)
    data.x = torch.ones(data.num_nodes, 1)
    data.y = torch.tensor([float(nx.triangles(graph, v) > 0) for v in graph])
    return add_search(data)


train = DataLoader([example(seed) for seed in range(200)], batch_size=20, shuffle=True)
test = DataLoader([example(seed) for seed in range(200, 300)], batch_size=100)
model = SGN(1, 16, 2, 1, search=search)
optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

for _ in range(20):
    for batch in train:
        optimiser.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(model(batch).squeeze(1), batch.y)
        loss.backward()
        optimiser.step()

batch = next(iter(test))
right = ((model(batch).squeeze(1) > 0) == (batch.y > 0.5)).float().mean()
print(f"{right:.1%} of the vertices right; always answering no would get {1 - batch.y.mean():.1%}")

import helion


# helion.Config(block_sizes=[1, 1]) was slower
@helion.kernel(
    config=helion.Config(
        block_sizes=[64, 32],  # rows, columns
        loop_orders=[
            [0, 1],
        ],
        range_flattens=[None],
        # indexing="block_ptr",
        indexing="pointer",
        num_warps=4,
    )
)
def softmax(x):
    """Not helion.Config(block_sizes=[2, 2]): that one is told of only."""

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IErc20 {
    function balanceOf(address owner) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Constant-product pool with a fee of 0.3 % and the events of a Uniswap v2 pair. Uses the amount it
/// received, so tokens with a transfer fee work.
contract Pool {
    address public token0;
    address public token1;
    uint112 private reserve0;
    uint112 private reserve1;

    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Swap(
        address indexed sender,
        uint256 amount0In,
        uint256 amount1In,
        uint256 amount0Out,
        uint256 amount1Out,
        address indexed to
    );
    event Sync(uint112 reserve0, uint112 reserve1);

    function init(address token0_, address token1_) external {
        require(token0 == address(0), "ready");
        token0 = token0_;
        token1 = token1_;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, 0);
    }

    /// Counts the tokens sent to the pool before this call as liquidity.
    function mint() external {
        (uint256 b0, uint256 b1) = balances();
        emit Mint(msg.sender, b0 - reserve0, b1 - reserve1);
        sync(b0, b1);
    }

    /// Swaps the tokens that arrived since the last sync.
    function swap(address tokenIn, uint256 minOut, address to) external returns (uint256 out) {
        (uint256 b0, uint256 b1) = balances();
        bool zeroIn = tokenIn == token0;
        uint256 amountIn = zeroIn ? b0 - reserve0 : b1 - reserve1;
        uint256 afterFee = amountIn * 997;
        (uint256 rIn, uint256 rOut) = zeroIn ? (reserve0, reserve1) : (reserve1, reserve0);
        out = (afterFee * rOut) / (rIn * 1000 + afterFee);
        require(out > 0 && out >= minOut, "Pool: too little out");
        IErc20(zeroIn ? token1 : token0).transfer(to, out);
        (b0, b1) = balances();
        emit Swap(msg.sender, zeroIn ? amountIn : 0, zeroIn ? 0 : amountIn, zeroIn ? 0 : out, zeroIn ? out : 0, to);
        sync(b0, b1);
    }

    function balances() private view returns (uint256, uint256) {
        return (IErc20(token0).balanceOf(address(this)), IErc20(token1).balanceOf(address(this)));
    }

    function sync(uint256 b0, uint256 b1) private {
        reserve0 = uint112(b0);
        reserve1 = uint112(b1);
        emit Sync(reserve0, reserve1);
    }
}

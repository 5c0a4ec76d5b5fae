// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The price of a Uniswap v3 pool.
contract ConcentratedPool {
    uint160 private sqrtPriceX96;
    int24 private tick;

    function setPrice(uint160 sqrtPriceX96_, int24 tick_) external {
        (sqrtPriceX96, tick) = (sqrtPriceX96_, tick_);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (sqrtPriceX96, tick, 0, 1, 1, 0, true);
    }
}

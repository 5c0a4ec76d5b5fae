// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Pool.sol";

/// Distributes the tokens that it holds.
contract Airdrop {
    function drop(address token, address[] calldata to, uint256[] calldata value) external {
        for (uint256 i = 0; i < to.length; i++) IErc20(token).transfer(to[i], value[i]);
    }
}

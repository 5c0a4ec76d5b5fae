// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Emits Transfer events from and to any address without moving balances.
contract SpamToken {
    string public name;
    string public symbol;
    uint8 public decimals;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function init(string calldata name_, string calldata symbol_, uint8 decimals_, uint16) external {
        require(decimals == 0, "ready");
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    /// One fake transfer for each pair.
    function fake(address[] calldata from, address[] calldata to, uint256 value) external {
        for (uint256 i = 0; i < from.length; i++) emit Transfer(from[i], to[i], value);
    }
}

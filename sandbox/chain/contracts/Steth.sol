// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of Lido's stETH: balances are shares of a pool that grows per second. Emits no
/// Transfer, so it does not appear in the wallets' history.
contract Steth {
    string public constant name = "Liquid staked Ether 2.0";
    string public constant symbol = "stETH";
    uint8 public constant decimals = 18;
    /// Ether value of 1e18 shares at the start, and its gain per second.
    uint256 private startRate;
    uint256 private gain;
    uint256 private since;
    mapping(address => uint256) public sharesOf;

    function init(uint256 startRate_, uint256 gain_) external {
        require(startRate == 0, "ready");
        (startRate, gain, since) = (startRate_, gain_, block.timestamp);
    }

    function mintShares(address owner, uint256 shares) external {
        sharesOf[owner] += shares;
    }

    function getPooledEthByShares(uint256 shares) public view returns (uint256) {
        return (shares * (startRate + gain * (block.timestamp - since))) / 1e18;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return getPooledEthByShares(sharesOf[owner]);
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Steth.sol";

/// The read interface of Lido's wstETH: one wstETH is one share of stETH.
contract Wsteth {
    string public constant name = "Wrapped liquid staked Ether 2.0";
    string public constant symbol = "wstETH";
    uint8 public constant decimals = 18;
    Steth public stETH;
    mapping(address => uint256) public balanceOf;

    function init(address stETH_) external {
        require(address(stETH) == address(0), "ready");
        stETH = Steth(stETH_);
    }

    function mint(address owner, uint256 amount) external {
        balanceOf[owner] += amount;
    }

    function getStETHByWstETH(uint256 amount) external view returns (uint256) {
        return stETH.getPooledEthByShares(amount);
    }

    function stEthPerToken() external view returns (uint256) {
        return stETH.getPooledEthByShares(1e18);
    }
}

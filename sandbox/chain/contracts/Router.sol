// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Pool.sol";

interface IWeth {
    function deposit() external payable;
    function withdraw(uint256 wad) external;
    function transfer(address to, uint256 value) external returns (bool);
}

/// Swaps along a path of pools; each pool has WETH on one side.
contract Router {
    IWeth public weth;

    function init(address weth_) external {
        require(address(weth) == address(0), "ready");
        weth = IWeth(weth_);
    }

    receive() external payable {
        require(msg.sender == address(weth), "only WETH");
    }

    function swapExactEthForTokens(address pool, uint256 minOut, address to) external payable {
        weth.deposit{value: msg.value}();
        weth.transfer(pool, msg.value);
        Pool(pool).swap(address(weth), minOut, to);
    }

    function swapExactTokensForEth(address pool, address token, uint256 amount, uint256 minOut, address to) external {
        IErc20(token).transferFrom(msg.sender, pool, amount);
        uint256 out = Pool(pool).swap(token, minOut, address(this));
        weth.withdraw(out);
        (bool ok, ) = to.call{value: out}("");
        require(ok, "Router: send");
    }

    function swapExactTokensForTokens(
        address poolIn,
        address poolOut,
        address token,
        uint256 amount,
        uint256 minOut,
        address to
    ) external {
        IErc20(token).transferFrom(msg.sender, poolIn, amount);
        uint256 ethOut = Pool(poolIn).swap(token, 0, poolOut);
        ethOut;
        Pool(poolOut).swap(address(weth), minOut, to);
    }
}

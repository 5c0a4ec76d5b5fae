// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of a Compound v3 market. Records principals, which grow by simple interest per second,
/// and collateral; moves no tokens. The price feed of an asset is the address of the asset.
contract Comet {
    uint256 private constant INDEX_SCALE = 1e15;

    struct AssetInfo {
        uint8 offset;
        address asset;
        address priceFeed;
        uint64 scale;
        uint64 borrowCollateralFactor;
        uint64 liquidateCollateralFactor;
        uint64 liquidationFactor;
        uint128 supplyCap;
    }

    struct UserCollateral {
        uint128 balance;
        uint128 _reserved;
    }

    address public baseToken;
    uint256 public baseScale;
    uint8 public numAssets;
    uint256 private since;
    uint256 private supplyRate;
    uint256 private borrowRate;
    mapping(uint8 => AssetInfo) private assets;
    mapping(address => uint256) private prices;
    mapping(address => int104) private principals;
    mapping(address => uint16) private assetsIn;
    mapping(address => mapping(address => UserCollateral)) public userCollateral;

    /// Rates: growth of the indexes (1e15) per second.
    function init(address base, uint256 scale, uint256 price, uint256 supplyRate_, uint256 borrowRate_) external {
        require(baseToken == address(0), "ready");
        (baseToken, baseScale, supplyRate, borrowRate) = (base, scale, supplyRate_, borrowRate_);
        since = block.timestamp;
        prices[base] = price;
    }

    function addAsset(address asset, uint64 scale, uint256 price, uint64 liquidateCollateralFactor) external {
        uint64 factor = liquidateCollateralFactor;
        assets[numAssets] = AssetInfo(numAssets, asset, asset, scale, factor - 5e16, factor, 95e16, type(uint128).max);
        numAssets++;
        prices[asset] = price;
    }

    function supplyTo(address dst, address asset, uint256 amount) external {
        if (asset == baseToken) {
            principals[dst] += int104(int256((amount * INDEX_SCALE) / index(supplyRate)));
            return;
        }
        userCollateral[dst][asset].balance += uint128(amount);
        for (uint8 i = 0; i < numAssets; i++) if (assets[i].asset == asset) assetsIn[dst] |= uint16(1) << i;
    }

    /// Withdraws more of the base token than was supplied, which creates a debt.
    function withdrawFrom(address src, address, address asset, uint256 amount) external {
        require(asset == baseToken && principals[src] <= 0, "Comet: not in the sandbox");
        principals[src] -= int104(int256((amount * INDEX_SCALE) / index(borrowRate)));
    }

    function balanceOf(address account) external view returns (uint256) {
        int104 principal = principals[account];
        return principal > 0 ? (uint104(principal) * index(supplyRate)) / INDEX_SCALE : 0;
    }

    function borrowBalanceOf(address account) external view returns (uint256) {
        int104 principal = principals[account];
        return principal < 0 ? (uint104(-principal) * index(borrowRate)) / INDEX_SCALE : 0;
    }

    function userBasic(address account) external view returns (int104, uint64, uint64, uint16, uint8) {
        return (principals[account], 0, 0, assetsIn[account], 0);
    }

    function getAssetInfo(uint8 i) external view returns (AssetInfo memory) {
        require(i < numAssets, "Comet: no such asset");
        return assets[i];
    }

    function baseTokenPriceFeed() external view returns (address) {
        return baseToken;
    }

    function getPrice(address priceFeed) external view returns (uint256) {
        return prices[priceFeed];
    }

    function index(uint256 rate) private view returns (uint256) {
        return INDEX_SCALE + rate * (block.timestamp - since);
    }
}

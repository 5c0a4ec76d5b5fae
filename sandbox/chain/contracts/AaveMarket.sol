// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of an Aave v3 market: addresses provider, pool and data provider in one. Records
/// supplies and debts with simple interest per second; moves no tokens.
contract AaveMarket {
    uint256 private constant RAY = 1e27;

    struct Reserve {
        uint256 unit;
        /// USD of one token, 8 decimals.
        uint256 price;
        uint256 thresholdBps;
        /// Growth of the indexes per second, in ray.
        uint256 supplyRate;
        uint256 borrowRate;
        uint256 since;
    }

    /// Encoded as the nine values that the data provider returns.
    struct UserReserve {
        uint256 aTokenBalance;
        uint256 stableDebt;
        uint256 variableDebt;
        uint256 principalStableDebt;
        uint256 scaledVariableDebt;
        uint256 stableBorrowRate;
        uint256 liquidityRate;
        uint40 stableRateLastUpdated;
        bool usageAsCollateralEnabled;
    }

    /// Encoded as the twelve values that the data provider returns. Rates are those of a year.
    struct ReserveData {
        uint256 unbacked;
        uint256 accruedToTreasury;
        uint256 totalAToken;
        uint256 totalStableDebt;
        uint256 totalVariableDebt;
        uint256 liquidityRate;
        uint256 variableBorrowRate;
        uint256 stableBorrowRate;
        uint256 averageStableBorrowRate;
        uint256 liquidityIndex;
        uint256 variableBorrowIndex;
        uint40 lastUpdateTimestamp;
    }

    address[] private list;
    mapping(address => Reserve) private reserves;
    mapping(address => mapping(address => uint256)) private scaledSupply;
    mapping(address => mapping(address => uint256)) private scaledDebt;

    function initReserve(
        address asset,
        uint8 decimals,
        uint256 price,
        uint256 thresholdBps,
        uint256 supplyRate,
        uint256 borrowRate
    ) external {
        require(reserves[asset].unit == 0, "ready");
        list.push(asset);
        reserves[asset] = Reserve(10 ** decimals, price, thresholdBps, supplyRate, borrowRate, block.timestamp);
    }

    function supply(address asset, uint256 amount, address onBehalfOf, uint16) external {
        scaledSupply[onBehalfOf][asset] += rayDiv(amount, supplyIndex(asset));
    }

    function borrow(address asset, uint256 amount, uint256, uint16, address onBehalfOf) external {
        scaledDebt[onBehalfOf][asset] += rayDiv(amount, borrowIndex(asset));
    }

    function withdrawAll(address asset, address onBehalfOf) external {
        scaledSupply[onBehalfOf][asset] = 0;
    }

    function getPool() external view returns (address) {
        return address(this);
    }

    function getPoolDataProvider() external view returns (address) {
        return address(this);
    }

    function getReservesList() external view returns (address[] memory) {
        return list;
    }

    function getUserReserveData(address asset, address user) external view returns (UserReserve memory data) {
        data.aTokenBalance = rayMul(scaledSupply[user][asset], supplyIndex(asset));
        data.variableDebt = rayMul(scaledDebt[user][asset], borrowIndex(asset));
        data.scaledVariableDebt = scaledDebt[user][asset];
        data.liquidityRate = reserves[asset].supplyRate;
        data.usageAsCollateralEnabled = data.aTokenBalance > 0;
    }

    function getReserveData(address asset) external view returns (ReserveData memory data) {
        data.liquidityRate = reserves[asset].supplyRate * 365 days;
        data.variableBorrowRate = reserves[asset].borrowRate * 365 days;
        data.liquidityIndex = supplyIndex(asset);
        data.variableBorrowIndex = borrowIndex(asset);
        data.lastUpdateTimestamp = uint40(block.timestamp);
    }

    function getUserAccountData(
        address user
    ) external view returns (uint256 collateral, uint256 debt, uint256, uint256 threshold, uint256, uint256 health) {
        uint256 weighted;
        for (uint256 i = 0; i < list.length; i++) {
            Reserve storage reserve = reserves[list[i]];
            uint256 supplied = (rayMul(scaledSupply[user][list[i]], supplyIndex(list[i])) * reserve.price) / reserve.unit;
            collateral += supplied;
            weighted += supplied * reserve.thresholdBps;
            debt += (rayMul(scaledDebt[user][list[i]], borrowIndex(list[i])) * reserve.price) / reserve.unit;
        }
        threshold = collateral == 0 ? 0 : weighted / collateral;
        health = debt == 0 ? type(uint256).max : ((collateral * threshold) / 1e4) * 1e18 / debt;
        return (collateral, debt, 0, threshold, 0, health);
    }

    function supplyIndex(address asset) private view returns (uint256) {
        return RAY + reserves[asset].supplyRate * (block.timestamp - reserves[asset].since);
    }

    function borrowIndex(address asset) private view returns (uint256) {
        return RAY + reserves[asset].borrowRate * (block.timestamp - reserves[asset].since);
    }

    function rayMul(uint256 a, uint256 b) private pure returns (uint256) {
        return (a * b + RAY / 2) / RAY;
    }

    function rayDiv(uint256 a, uint256 b) private pure returns (uint256) {
        return (a * RAY + b / 2) / b;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of stkAAVE. A share redeems one AAVE less slashing; moves no tokens.
contract StakedAave {
    address public STAKED_TOKEN;
    address public REWARD_TOKEN;
    uint256 public constant getCooldownSeconds = 20 days;
    uint256 public constant UNSTAKE_WINDOW = 2 days;
    uint256 private rewardPerSecond;
    uint256 private slashedBps;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) private stakedAt;
    mapping(address => uint40) private cooldownAt;

    function init(address token, uint256 rewardPerSecond_, uint256 slashedBps_) external {
        require(STAKED_TOKEN == address(0), "ready");
        STAKED_TOKEN = token;
        REWARD_TOKEN = token;
        rewardPerSecond = rewardPerSecond_;
        slashedBps = slashedBps_;
    }

    function stake(address onBehalfOf, uint256 amount) external {
        balanceOf[onBehalfOf] += amount;
        stakedAt[onBehalfOf] = block.timestamp;
    }

    function cooldownOnBehalfOf(address from) external {
        cooldownAt[from] = uint40(block.timestamp);
    }

    function stakersCooldowns(address staker) external view returns (uint40, uint216) {
        uint40 at = cooldownAt[staker];
        return (at, at == 0 ? 0 : uint216(balanceOf[staker]));
    }

    function previewRedeem(uint256 shares) external view returns (uint256) {
        return (shares * (10_000 - slashedBps)) / 10_000;
    }

    function getTotalRewardsBalance(address staker) external view returns (uint256) {
        return stakedAt[staker] == 0 ? 0 : rewardPerSecond * (block.timestamp - stakedAt[staker]);
    }
}

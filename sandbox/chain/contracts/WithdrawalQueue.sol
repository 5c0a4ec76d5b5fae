// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of Lido's withdrawal queue. Each finalisation is a checkpoint; moves no ether.
contract WithdrawalQueue {
    struct WithdrawalRequestStatus {
        uint256 amountOfStETH;
        uint256 amountOfShares;
        address owner;
        uint256 timestamp;
        bool isFinalized;
        bool isClaimed;
    }

    uint256 private lastFinalized;
    uint256[] private checkpoints;
    WithdrawalRequestStatus[] private requests;
    /// Basis points of the requested amount that requests of a checkpoint receive.
    mapping(uint256 => uint256) private paidBps;
    mapping(address => uint256[]) private idsOf;

    function requestWithdrawal(address owner, uint256 amount) external {
        requests.push(WithdrawalRequestStatus(amount, amount, owner, block.timestamp, false, false));
        idsOf[owner].push(requests.length);
    }

    /// All requests up to this one can be claimed.
    function finalize(uint256 id, uint256 paidBps_) external {
        require(id > lastFinalized && id <= requests.length, "id");
        for (uint256 i = lastFinalized; i < id; i++) requests[i].isFinalized = true;
        lastFinalized = id;
        checkpoints.push(id);
        paidBps[checkpoints.length] = paidBps_;
    }

    function getWithdrawalRequests(address owner) external view returns (uint256[] memory) {
        return idsOf[owner];
    }

    function getWithdrawalStatus(
        uint256[] calldata ids
    ) external view returns (WithdrawalRequestStatus[] memory statuses) {
        statuses = new WithdrawalRequestStatus[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) statuses[i] = requests[ids[i] - 1];
    }

    function getLastCheckpointIndex() external view returns (uint256) {
        return checkpoints.length;
    }

    function findCheckpointHints(
        uint256[] calldata ids,
        uint256 first,
        uint256 last
    ) external view returns (uint256[] memory hints) {
        hints = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) {
            require(i == 0 || ids[i] >= ids[i - 1], "RequestIdsNotSorted");
            for (uint256 k = last; k >= first; k--) if (checkpoints[k - 1] >= ids[i]) hints[i] = k;
        }
    }

    function getClaimableEther(
        uint256[] calldata ids,
        uint256[] calldata hints
    ) external view returns (uint256[] memory amounts) {
        amounts = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++)
            amounts[i] = (requests[ids[i] - 1].amountOfStETH * paidBps[hints[i]]) / 10_000;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The read interface of Uniswap v3's position manager and factory. Records positions that earn fees per
/// second; moves no tokens. Emits no Transfer, so its NFTs do not appear in the wallets' history.
contract PositionManager {
    struct Position {
        address owner;
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
        uint128 owed0;
        uint128 owed1;
        uint256 since;
    }

    /// Encoded as the twelve values that the position manager returns.
    struct Info {
        uint96 nonce;
        address operator;
        address token0;
        address token1;
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
        uint256 feeGrowthInside0LastX128;
        uint256 feeGrowthInside1LastX128;
        uint128 tokensOwed0;
        uint128 tokensOwed1;
    }

    struct CollectParams {
        uint256 tokenId;
        address recipient;
        uint128 amount0Max;
        uint128 amount1Max;
    }

    /// Base units of either token that 1e18 of liquidity earns per second.
    uint256 private constant FEE_RATE = 1e3;

    uint256 private count;
    mapping(uint256 => Position) private held;
    mapping(address => uint256[]) private tokensOf;
    mapping(bytes32 => address) private pools;

    function addPool(address token0, address token1, uint24 fee, address pool) external {
        require(token0 < token1, "order");
        pools[keccak256(abi.encode(token0, token1, fee))] = pool;
    }

    function mint(Position calldata position) external {
        count++;
        held[count] = position;
        held[count].since = block.timestamp;
        tokensOf[position.owner].push(count);
    }

    function factory() external view returns (address) {
        return address(this);
    }

    function getPool(address token0, address token1, uint24 fee) external view returns (address) {
        return pools[keccak256(abi.encode(token0, token1, fee))];
    }

    function balanceOf(address owner) external view returns (uint256) {
        return tokensOf[owner].length;
    }

    function tokenOfOwnerByIndex(address owner, uint256 i) external view returns (uint256) {
        return tokensOf[owner][i];
    }

    function positions(uint256 tokenId) external view returns (Info memory info) {
        Position memory p = held[tokenId];
        require(p.owner != address(0), "Invalid token ID");
        (info.token0, info.token1, info.fee) = (p.token0, p.token1, p.fee);
        (info.tickLower, info.tickUpper, info.liquidity) = (p.tickLower, p.tickUpper, p.liquidity);
        (info.tokensOwed0, info.tokensOwed1) = (p.owed0, p.owed1);
    }

    function collect(CollectParams calldata params) external payable returns (uint256, uint256) {
        Position storage p = held[params.tokenId];
        require(msg.sender == p.owner, "Not approved");
        uint256 fees = (uint256(p.liquidity) * FEE_RATE * (block.timestamp - p.since)) / 1e18;
        (uint256 amount0, uint256 amount1) = (p.owed0 + fees, p.owed1 + fees);
        (p.owed0, p.owed1, p.since) = (0, 0, block.timestamp);
        return (amount0, amount1);
    }
}

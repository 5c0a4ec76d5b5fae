// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A contract wallet: it accepts signatures of its owner (ERC-1271).
contract ContractWallet {
    address public owner;

    function init(address owner_) external {
        require(owner == address(0), "ready");
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

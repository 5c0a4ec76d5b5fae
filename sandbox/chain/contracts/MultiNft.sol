// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The part of ERC-1155 that moves tokens and returns their metadata URI.
contract MultiNft {
    string public name;
    string public symbol;
    /// Clients replace {id} with the token id.
    string private template;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);

    function init(string calldata name_, string calldata symbol_, uint8, uint16) external {
        require(bytes(name).length == 0, "ready");
        name = name_;
        symbol = symbol_;
    }

    function setUri(string calldata prefix, string calldata suffix) external {
        require(bytes(template).length == 0, "ready");
        template = string.concat(prefix, "{id}", suffix);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function uri(uint256) external view returns (string memory) {
        return template;
    }

    function mint(address to, uint256 id, uint256 value) external {
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) external {
        require(from == msg.sender, "owner");
        move(from, to, id, value);
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata
    ) external {
        require(from == msg.sender, "owner");
        for (uint256 i = 0; i < ids.length; i++) move(from, to, ids[i], values[i]);
        emit TransferBatch(msg.sender, from, to, ids, values);
    }

    function move(address from, address to, uint256 id, uint256 value) private {
        balanceOf[from][id] -= value;
        balanceOf[to][id] += value;
    }
}

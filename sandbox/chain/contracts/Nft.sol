// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The part of ERC-721 that moves tokens and returns their metadata URI.
contract Nft {
    string public name;
    string public symbol;
    string private prefix;
    string private suffix;
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function init(string calldata name_, string calldata symbol_, uint8, uint16) external {
        require(bytes(name).length == 0, "ready");
        name = name_;
        symbol = symbol_;
    }

    function setUri(string calldata prefix_, string calldata suffix_) external {
        require(bytes(prefix).length == 0, "ready");
        prefix = prefix_;
        suffix = suffix_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(ownerOf[tokenId] != address(0), "unknown token");
        return string.concat(prefix, decimal(tokenId), suffix);
    }

    function mint(address to, uint256 tokenId) public payable {
        require(ownerOf[tokenId] == address(0), "minted");
        ownerOf[tokenId] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, tokenId);
    }

    function mintMany(address[] calldata to, uint256 firstId) external {
        for (uint256 i = 0; i < to.length; i++) mint(to[i], firstId + i);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == from && from == msg.sender, "owner");
        move(from, to, tokenId);
    }

    /// Sells a token to anyone who pays its owner: the sandbox's marketplace.
    function buy(uint256 tokenId) external payable {
        address seller = ownerOf[tokenId];
        require(seller != address(0) && seller != msg.sender, "seller");
        move(seller, msg.sender, tokenId);
        (bool paid, ) = seller.call{value: msg.value}("");
        require(paid, "payment");
    }

    function move(address from, address to, uint256 tokenId) private {
        ownerOf[tokenId] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        emit Transfer(from, to, tokenId);
    }

    function decimal(uint256 value) private pure returns (string memory) {
        if (value == 0) return "0";
        uint256 length = 0;
        for (uint256 rest = value; rest > 0; rest /= 10) length++;
        bytes memory digits = new bytes(length);
        for (uint256 rest = value; rest > 0; rest /= 10) digits[--length] = bytes1(uint8(48 + (rest % 10)));
        return string(digits);
    }
}

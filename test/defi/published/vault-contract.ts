import { compiled } from './published.ts'

/** The vault of @openzeppelin/contracts, which has no figure of its own added. Its constructor takes the asset. */
export const VAULT = compiled({
  name: 'Vault',
  file: 'Vault.sol',
  text: `pragma solidity ^0.8.24;
    import {ERC20, ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
    contract Vault is ERC4626 { constructor(IERC20 asset) ERC20("Savings", "SAV") ERC4626(asset) {} }`,
  evmVersion: 'cancun',
})

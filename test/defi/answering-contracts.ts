import { type Address, type Hex, encodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import { afterAll } from 'vitest'
import { type Deployed, startProtocolChain } from './published/protocol-chain.ts'
import { compiled } from './published/published.ts'

const ANSWERS = compiled({
  name: 'Answers',
  file: 'Answers.sol',
  text: `pragma solidity ^0.8.24;
    contract Answers {
      mapping(bytes32 => bytes) private answers;
      function put(bytes calldata call, bytes calldata answer) external { answers[keccak256(call)] = answer; }
      fallback(bytes calldata call) external returns (bytes memory) {
        bytes memory answer = answers[keccak256(call)];
        require(answer.length > 0, "unknown");
        return answer;
      }
    }`,
})

/** A function as the documentation writes it, its arguments and its results. */
export type Answer = readonly [signature: string, args: readonly unknown[], results: readonly unknown[]]

export const BALANCE = 'balanceOf(address owner) view returns (uint256)'
export const SUPPLY = 'totalSupply() view returns (uint256)'

/** A node with contracts that answer what a test says, and nothing else. Stops when the file is done. */
export async function startAnsweringChain() {
  const chain = await startProtocolChain()
  afterAll(() => chain.stop())
  const { address: first } = await chain.deploy(ANSWERS)
  const code = (await chain.node.call('eth_getCode', first, 'latest')) as Hex
  let placed = 0

  async function contract(answers: readonly Answer[], at?: string): Promise<Address> {
    const address = (at ?? `0x${(0xc0de00 + placed++).toString(16).padStart(40, '0')}`) as Address
    await chain.node.call('anvil_setCode', address, code)
    const place: Deployed = { address, abi: ANSWERS.abi }
    for (const [signature, args, results] of answers) {
      const abi = parseAbi([`function ${signature}`] as [string])
      const call = encodeFunctionData({ abi, args } as never)
      const result = results.length === 1 ? results[0] : results
      const answer = encodeFunctionResult({ abi, result } as never)
      await chain.write(chain.deployer, place, 'put', [call, answer])
    }
    return address
  }

  return {
    chain,
    user: chain.users[0]!,
    contract,
    token: (balances: readonly (readonly [Address, bigint])[]) =>
      contract(balances.map(([owner, raw]): Answer => [BALANCE, [owner], [raw]])),
  }
}

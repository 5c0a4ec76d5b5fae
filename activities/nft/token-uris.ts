import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import type { UndescribedToken } from '../../db/nft/read-for-ingest.ts'
import { SourceUnavailable } from '../errors.ts'
import type { RpcClient } from '../rpc-client.ts'

const ABI = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])
const LONGEST_URI = 200_000

/**
 * Where the contracts say that the metadata of tokens are, in the order of the tokens; null where one reverts or answers
 * no text. An absent node throws.
 */
export async function readTokenUris(
  client: RpcClient,
  tokens: readonly UndescribedToken[],
): Promise<(string | null)[]> {
  const answers = await client.send(
    tokens.map(({ address, tokenId, standard }) => {
      const functionName = standard === 'erc721' ? 'tokenURI' : 'uri'
      const data = encodeFunctionData({ abi: ABI, functionName, args: [BigInt(tokenId)] })
      return { method: 'eth_call', params: [{ to: address, data }, 'latest'] }
    }),
  )
  return answers.map((answer, i) => {
    if ('error' in answer) {
      if (answer.error instanceof SourceUnavailable) throw answer.error
      return null
    }
    const uri = decodedText(answer.result)
    // The standard's placeholder of ERC-1155.
    return uri && uri.replaceAll('{id}', BigInt(tokens[i]!.tokenId).toString(16).padStart(64, '0'))
  })
}

function decodedText(result: unknown): string | null {
  if (typeof result !== 'string' || result.length > 2 * LONGEST_URI) return null
  try {
    const [text] = decodeAbiParameters([{ type: 'string' }], result as `0x${string}`)
    return text.trim() || null
  } catch {
    return null
  }
}

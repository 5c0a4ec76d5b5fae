import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import type { UndescribedToken } from '../../db/nft/read-for-ingest.ts'
import { SourceUnavailable } from '../errors.ts'
import type { RpcClient } from '../nodes/rpc.ts'

const ABI = parseAbi([
  'function tokenURI(uint256 tokenId) view returns (string)',
  'function uri(uint256 id) view returns (string)',
])
const LONGEST_URI = 200_000

/**
 * The metadata URIs that the contracts return, in the order of the tokens; null when a call reverts or
 * returns no text. Throws when the node is unavailable.
 */
export async function readTokenUris(
  client: Pick<RpcClient, 'send'>,
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
    // ERC-1155's placeholder for the token id.
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

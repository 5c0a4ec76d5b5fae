import { tokens } from '../chain/tokens.ts'
import { hashText } from '../market/noise.ts'
import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const notFound: UpstreamReply = { status: 404, body: { error: 'not found' } }

/** Documents that exist at the URI of their contract, on IPFS and the web. */
const documents = new Map(
  tokens.flatMap(({ uri, name }) => {
    const place = uri?.[0].replace(/^ipfs:\/\//, 'ipfs/').replace(/^https:\/\//, '') ?? ''
    const isThere =
      uri !== null && !place.includes('gone') && !place.includes('claim') && !place.startsWith('data:')
    return isThere ? [[place, { name, suffix: uri[1] }] as const] : []
  }),
)

/**
 * Simulates an IPFS gateway (`/ipfs/{cid}/..`) and a proxy for other hosts (`/{host}/..`) for the tokens of
 * the sandbox chains. Ids of ERC-1155 tokens come as 64 hexadecimal digits.
 */
export function createNftMetadata(): Upstream {
  return ({ path }) => {
    const place = `${path.slice(0, -1).join('/')}/`
    const document = documents.get(place)
    const file = path.at(-1) ?? ''
    const id =
      document && file.endsWith(document.suffix) ? file.slice(0, file.length - document.suffix.length) : ''
    const number = /^[0-9a-f]{64}$/.test(id) ? BigInt(`0x${id}`) : /^\d+$/.test(id) ? BigInt(id) : null
    if (!document || number === null) return notFound
    const pick = hashText(3, `${place} ${number}`)
    return ok({
      name: `${document.name} No. ${number}`,
      description: `Number ${number} of ${document.name}.`,
      image: `ipfs://bafybeisluicepictures/${pick.toString(16)}.png`,
      attributes: [
        { trait_type: 'Bank', value: pick % 2 === 0 ? 'Left' : 'Right' },
        { trait_type: 'Depth', value: pick % 9, display_type: 'number' },
      ],
    })
  }
}

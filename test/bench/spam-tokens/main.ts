import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { foldSymbol, spamReason } from '../../../activities/chain/spam.ts'
import { npmFiles } from '../../oracles/npm-files.ts'

// npm run sluice -- bench spam-tokens --spam FOLDER: measures what names and symbols of tokens alone tell, as if no list
// knew them. FOLDER: `updates/spam_assets` of https://github.com/rotki/data, which rotki's users reported. Real tokens
// are those of Uniswap's default list.

interface Named {
  symbol: string
  name: string
}

const REAL = 'build/uniswap-default.tokenlist.json'
/** Entries that say no more than that they are spam. */
const UNNAMED = /^Autodetected/
/** More symbols than these are copied: a worker takes those of the first 250 coins. */
const MAJORS =
  'BTC ETH USDT USDC BNB SOL XRP DOGE ADA TRX LINK AVAX SHIB DOT POL MATIC DAI UNI LTC WBTC WETH STETH PEPE AAVE ARB OP'

const { values } = parseArgs({ options: { spam: { type: 'string' }, all: { type: 'boolean' } } })
if (values.spam === undefined) throw new Error('--spam needs the folder of the lists')
const majors = new Set(MAJORS.split(' ').map(foldSymbol))
const judge = ({ symbol, name }: Named) =>
  spamReason({ symbol, name, known: false, receivers: 1, isNft: false }, majors)

const folder = await npmFiles({ pinned: '@uniswap/default-token-list@22.21.0', files: [REAL] })
const listed = (JSON.parse(readFileSync(join(folder, REAL), 'utf8')) as { tokens: Named[] }).tokens
const isNamesake = ({ symbol }: Named) => majors.has(foldSymbol(symbol))
const real = distinct(listed).filter((token) => !isNamesake(token))
const spam = distinct(
  readdirSync(values.spam)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(values.spam!, file), 'utf8')).spam_assets as Named[]),
).filter(({ name }) => !UNNAMED.test(name))

const wrong = real.filter((token) => judge(token) !== null)
const missed = spam.filter((token) => judge(token) === null)
const found = spam.length - missed.length
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.table({
  'real tokens': {
    tokens: real.length,
    'called spam': wrong.length,
    share: percent(wrong.length / real.length),
  },
  spam: { tokens: spam.length, 'called spam': found, share: percent(found / spam.length) },
})
console.log(`precision ${percent(found / (found + wrong.length))}, recall ${percent(found / spam.length)}`)
console.log(`called spam: ${wrong.map(({ name }) => name).join(', ')}`)
if (values.all) for (const { symbol, name } of missed) console.log(`missed  ${symbol} | ${name}`)

function distinct(tokens: readonly Named[]): Named[] {
  return [...new Map(tokens.map((token) => [`${token.symbol} ${token.name}`, token])).values()]
}

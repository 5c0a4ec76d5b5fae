// API=... KEY=... node every-coin.mjs: all coins, page after page.
import { createSluiceClient, eachItem } from 'sluice-client'

const { API, KEY } = globalThis.process?.env ?? {}
const sluice = createSluiceClient({ url: API, key: KEY })
let coins = 0
for await (const coin of eachItem(sluice, '/coins', { params: { query: { limit: 10 } } })) {
  if (coins === 0) console.log(`first: ${coin.id}`)
  coins++
}
console.log(`${coins} coins`)

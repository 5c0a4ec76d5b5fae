// API=http://127.0.0.1:8080/v1 KEY=sl_... node first-call.mjs: the price of a coin, and what a refusal looks like.
import { createSluiceClient, SluiceError } from 'sluice-client'

const { API, KEY } = globalThis.process?.env ?? {}
const sluice = createSluiceClient({ url: API, key: KEY })
const { data, response } = await sluice.GET('/coins', { params: { query: { coinIds: ['bitcoin'] } } })
console.log(`bitcoin ${data.result[0].price}, ${response.headers.get('x-credits-cost')} credits`)
try {
  await sluice.GET('/coins/{coinId}', { params: { path: { coinId: 'no-such-coin' } } })
} catch (error) {
  if (!(error instanceof SluiceError)) throw error
  console.log(`${error.kind}: ${error.message}`)
}

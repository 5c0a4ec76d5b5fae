// An app whose users connect wallets and exchange accounts with a connect kit of Sluice. It needs Node 20 and nothing else:
//
//   SLUICE_URL=http://127.0.0.1:8080 SLUICE_KIT=KIT SLUICE_API_KEY=sl_... PORT=3000 node clients/connect-kit/server.mjs
//
// The page knows only the id of the kit. The API key stays in this process.

import { createServer } from 'node:http'

const { SLUICE_URL, SLUICE_KIT, SLUICE_API_KEY, PORT = '3000' } = process.env
if (!SLUICE_URL || !SLUICE_KIT || !SLUICE_API_KEY) {
  console.error('Set SLUICE_URL, SLUICE_KIT and SLUICE_API_KEY.')
  process.exit(2)
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Example app</title>
    <link rel="icon" href="data:,">
    <script src="${SLUICE_URL}/connect/${SLUICE_KIT}/connect.js"></script>
  </head>
  <body>
    <h1>Example app</h1>
    <button>Connect a wallet or an exchange</button>
    <p role="status"></p>
    <script>
      const say = (text) => (document.querySelector('[role=status]').textContent = text)

      /** Brings the code to the server of the app. */
      async function use(result) {
        if (!result) return say('Cancelled.')
        const answer = await fetch('/redeem', { method: 'POST', body: result.code })
        const connected = await answer.json()
        if (!answer.ok) return say('Not connected: ' + connected.message)
        const proof = connected.signedIn ? ', with a signature' : ''
        say('Connected ' + (connected.address ?? connected.connectionId) + proof + ' as ' + connected.portfolioId)
      }
      const fail = (error) => say(error.message)

      document.querySelector('button').addEventListener('click', () => {
        SluiceConnect.open({ callback: location.origin + '/connected' }).then(use).catch(fail)
      })
      if (location.pathname === '/connected')
        Promise.resolve().then(SluiceConnect.result).then(use).catch(fail)
    </script>
  </body>
</html>`

/** Redeems a code with the API key. In a real app: for the user who is signed in here, whose portfolio is stored then. */
async function redeem(code) {
  const response = await fetch(`${SLUICE_URL}/v1/connect/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SLUICE_API_KEY },
    body: JSON.stringify({ code }),
  })
  return { status: response.status, body: await response.text() }
}

async function textOf(request) {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > 1_000) break
  }
  return text
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://app')
  try {
    if (request.method === 'POST' && pathname === '/redeem') {
      const { status, body } = await redeem(await textOf(request))
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    } else if (['/', '/connected'].includes(pathname)) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
    } else response.writeHead(404).end()
  } catch (error) {
    response
      .writeHead(502, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: error.message }))
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`The example app is at http://127.0.0.1:${PORT}`))

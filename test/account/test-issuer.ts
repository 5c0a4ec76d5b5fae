import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'

export const AUDIENCE = 'urn:sluice:api'

/** The public endpoints of an OpenID provider. A test chooses its keys and faults. */
export async function startTestIssuer() {
  const state = { broken: false, requests: 0, keys: [] as unknown[] }
  const server = createServer((request, response) => {
    state.requests++
    response.setHeader('content-type', 'application/json')
    if (state.broken) return void response.writeHead(500).end('{}')
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    response.end(
      JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/jwks` } : { keys: state.keys }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Creates a key pair. `publish` adds it to the key set, `withdraw` removes it. */
  async function newKey(alg: string, kid: string) {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }
    const publish = () => void state.keys.push(jwk)
    const withdraw = () => void state.keys.splice(state.keys.indexOf(jwk), 1)
    /** Signs a valid access token, except for the given changes. */
    const sign = (
      payload: JWTPayload = {},
      header: Partial<JWTHeaderParameters> = {},
      nowMs = Date.now(),
    ) => {
      const iat = Math.floor(nowMs / 1_000)
      return new SignJWT({
        iss: url,
        aud: AUDIENCE,
        sub: 'someone',
        scope: 'sluice:read',
        iat,
        exp: iat + 600,
        ...payload,
      })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt', ...header })
        .sign(privateKey)
    }
    return { publicKey, privateKey, jwk, publish, withdraw, sign }
  }

  return { url, state, newKey, stop: () => new Promise((resolve) => server.close(resolve)) }
}

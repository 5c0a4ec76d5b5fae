import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

export const REDIRECT = 'http://127.0.0.1:33418/callback'

/** What an agent keeps, as the client asks for it. */
export class Agent implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT
  readonly clientMetadata: OAuthClientProvider['clientMetadata']
  client: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  asked: URL | undefined

  constructor(name = 'Test agent') {
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }
  clientInformation() {
    return this.client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens() {
    return this.kept
  }
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens
  }
  redirectToAuthorization(address: URL) {
    this.asked = address
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier
  }
  codeVerifier() {
    return this.verifier
  }
}

/** Connects the official client. Rejects with UnauthorizedError while the agent has no token. */
export async function connectAgent(agent: Agent, server: URL): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(server, { authProvider: agent }))
  return client
}

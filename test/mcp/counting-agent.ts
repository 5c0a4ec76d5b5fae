import { Client, type Transport } from '@modelcontextprotocol/client'

/** Cautious: models count about four characters of such text as a token. */
const CHARACTERS_OF_A_TOKEN = 3

/** Connects with the official client, and counts what the agent has to read and pay. */
export async function countingAgent(transport: Transport) {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(transport)
  let characters = 0
  let charged = 0
  const read = (text: string) => {
    characters += text.length
    return text
  }

  async function use(name: string, args: Record<string, unknown> = {}) {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [answer, ...notes] = content.map((one) => read((one as { text: string }).text))
    const cost = /^Credits: (\d+) charged, (\d+) left\.$/m.exec(notes.join('\n'))
    charged += Number(cost?.[1] ?? 0)
    return { answer: answer!, notes, isError, left: cost ? Number(cost[2]) : null }
  }

  return {
    client,
    read,
    use,
    tokens: () => Math.ceil(characters / CHARACTERS_OF_A_TOKEN),
    charged: () => charged,
  }
}

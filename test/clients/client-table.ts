import { tableText } from '../../cli/print.ts'

/** A test of a client that has ended. */
export interface Tried {
  client: string
  /** What the client does in this test and in others. */
  part: string
  name: string
  calls: number
  worked: boolean
}

/** One line for each part of each client: its calls, how much of it worked, and what did not. */
export function clientTable(tried: readonly Tried[]): string {
  const rows = [...Map.groupBy(tried, ({ client, part }) => `${client}\n${part}`).values()].map((all) => {
    const failed = all.filter(({ worked }) => !worked).map(({ name }) => name)
    return {
      client: all[0]!.client,
      part: all[0]!.part,
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      worked: `${all.length - failed.length} of ${all.length}`,
      ...(failed.length > 0 && { 'did not work': failed.join('; ') }),
    }
  })
  return tableText(rows)
}

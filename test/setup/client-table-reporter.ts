import type { Reporter, TestModule } from 'vitest/node'
import { clientTable } from '../clients/client-table.ts'
import '../clients/count-calls.ts'

/** Prints the table of the clients after a run. */
export default class ClientTableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tried = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => {
        const { client } = test.meta()
        if (!client) return []
        const { name, part, calls } = client
        return [{ client: name, part, calls, name: test.name, worked: test.result().state === 'passed' }]
      })
    console.log(`\n${clientTable(tried)}\n`)
  }
}

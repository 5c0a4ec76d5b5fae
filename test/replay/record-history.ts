import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'

// node test/replay/record-history.ts HOST:PORT WORKFLOW_ID NAME: keeps the history of a run for replay.test.ts.
const [address, workflowId, name] = process.argv.slice(2)
if (!address || !workflowId || !name) throw new Error('HOST:PORT WORKFLOW_ID NAME')
const { History } = proto.temporal.api.history.v1
const connection = await Connection.connect({ address })
const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory()
const plain = History.toObject(History.create(history), { longs: String, bytes: String, enums: String })
// Names of machines, processes and folders are no part of what a workflow does.
const json = JSON.stringify(plain, (key, value: unknown) => (key === 'identity' ? undefined : value), 1)
const text = json.replaceAll(join(import.meta.dirname, '../..'), '')
writeFileSync(join(import.meta.dirname, 'histories', `${name}.json`), `${text}\n`)
await connection.close()

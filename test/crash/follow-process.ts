import { openDb } from '../../db/connect.ts'
import { follow } from '../follow/follow-directly.ts'
import { httpNode } from '../follow/http-node.ts'
import { type CommitPoint, dieAtCommit } from './die-at-commit.ts'

// Follows a node to its head, and kills itself at a commit.

interface Plan {
  databaseUrl: string
  nodeUrl: string
  point: CommitPoint
}

const { databaseUrl, nodeUrl, point } = JSON.parse(process.argv[2]!) as Plan
dieAtCommit(point)
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'follow-process' })
const { catchUp, step } = await follow({ pool, node: httpNode(nodeUrl) })
await catchUp()
// It notes that it is at the head.
await step()
await close()

import { testNetwork } from '../chain/sync-directly.ts'
import { openDb } from '../../db/connect.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { NETWORK } from '../follow/follow-directly.ts'
import { type CommitPoint, dieAtCommit } from './die-at-commit.ts'

// Derives touched wallets until none is left, and kills itself at a commit.

interface Plan {
  databaseUrl: string
  nodeUrl: string
  point: CommitPoint
}

const { databaseUrl, nodeUrl, point } = JSON.parse(process.argv[2]!) as Plan
dieAtCommit(point)
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'derive-process' })
const { id: networkId, reorgDepth } = NETWORK
const network = await testNetwork(pool, { networkId, url: nodeUrl, reorgDepth })
await deriveAll({ pool, network })
await close()

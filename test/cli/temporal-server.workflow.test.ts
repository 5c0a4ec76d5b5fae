import { Connection } from '@temporalio/client'
import { expect, inject, test } from 'vitest'
import '../setup/provided.ts'

test('the workflow tests have their own Temporal server with the namespace "default"', async () => {
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  try {
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' })
    expect(namespaceInfo?.name).toBe('default')
  } finally {
    await connection.close()
  }
})

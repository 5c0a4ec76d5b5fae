/** Values that the global set-up provides to test files. */
export interface TestServer {
  port: number
  ownerPassword: string
  /** Name of the migrated database that test databases are copied from. */
  template: string
  /** Folder of its Unix socket. */
  socketFolder: string
}

export interface Installation {
  /** http://127.0.0.1:PORT/v1 */
  url: string
  /** Its SLUICE_HOME. */
  home: string
  /** Key of the demo account, on the plan pro. */
  key: string
  /** Wallet that its first run has synced. */
  wallet: string
  /** Ports of this machine that may receive its events. */
  webhookPorts: number[]
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
    temporalAddress: string
    /** File with the bundled workflows. Its folder can serve as WORKFLOW_CACHE. */
    workflowBundle: string
    /** Path of the browser, or why there is none. Only in the projects `browser` and `clients`. */
    chromium: { program: string } | { problem: string }
    /** Only in the project `clients`. */
    installation: Installation
  }
}

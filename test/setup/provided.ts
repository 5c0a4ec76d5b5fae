/** What the global set-up hands to the test files. */
export interface TestServer {
  port: number
  ownerPassword: string
  /** Name of the migrated database that test databases are copied from. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
    temporalAddress: string
    /** File with the workflows as a worker loads them; its folder will do for WORKFLOW_CACHE. */
    workflowBundle: string
    /** Program of the browser, or why there is none; in the project `browser` alone. */
    chromium: { program: string } | { problem: string }
  }
}

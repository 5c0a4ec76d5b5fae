// Questions that people ask, for clients that offer them as commands.

interface Prompt {
  name: string
  title: string
  description: string
  arguments?: { name: string; description: string; required: boolean }[]
  /** names of arguments in braces */
  text: string
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'review-portfolio',
    title: 'Review my portfolio',
    description: 'Value, profit, concentration and what changed',
    text: 'Review my portfolio. Call portfolioSummary and portfolioProfit for the last month. Say what it is worth, what it gained without deposits, which coins make most of it and of the profit, and what is not priced or still being read. Use only figures from the tools.',
  },
  {
    name: 'explain-day',
    title: 'Why did my portfolio change?',
    description: 'The change of one day by coin and flow',
    arguments: [{ name: 'day', description: 'YYYY-MM-DD; without it yesterday', required: false }],
    text: 'Explain why my portfolio changed on {day}. Call whyDidPortfolioChange. Separate price moves from deposits and withdrawals, name the three coins that moved it most, and check that end minus start minus flows is the profit.',
  },
  {
    name: 'check-wallet',
    title: 'Look at a wallet',
    description: 'Holdings, activity and risks of an address',
    arguments: [
      { name: 'address', description: 'Address', required: true },
      { name: 'connectionId', description: 'Networks, such as ethereum,base-wallet', required: true },
    ],
    text: 'Look at the wallet {address} on {connectionId}. Call walletOverview and walletProfit. Say what it holds, what it did lately, and what is unpriced or spam.',
  },
]

/** The text of a prompt with its arguments. null: there is no such prompt. */
export function promptText(name: string, args: Readonly<Record<string, string>>): string | null {
  const prompt = PROMPTS.find((one) => one.name === name)
  return prompt
    ? prompt.text.replace(
        /\{(\w+)\}/g,
        (_, key: string) => args[key] || (key === 'day' ? 'yesterday' : `(${key}?)`),
      )
    : null
}

/** How a plan that a job refused is applied all the same, for its summary. @param hash of the plan that stands below */
export function applyByHandMarkdown(hash: string): string {
  return `To apply the plan below, and no other, read it; then choose _Run workflow_ on this workflow's page, with this as \`plan\`:

\`\`\`
${hash}
\`\`\`

A workflow that has no such input was written by an earlier plancast: \`plancast init\` in an empty folder writes one that has it.
`;
}

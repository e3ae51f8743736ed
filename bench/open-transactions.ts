import type { SimulatorProcess } from "./simulator-process"

/** Runs one statement; `$1` stands for the first parameter. */
type RunSql = (statement: string, parameters: unknown[]) => Promise<unknown>

/**
 * Open transactions by the thousand, in the simulator and in our table alike. Opened over HTTP they would
 * take longer than all figures together, so each is a copy of a row that was opened by a shopper and may still be paid: of the
 * same cart and collection, so that judging it is the work that it is for a real one.
 *
 * @param watch `due`: the watcher's turn has come; `never`: it leaves them alone
 * @returns their ids at the service
 */
export async function addOpenTransactions(
  run: RunSql,
  simulator: Pick<SimulatorProcess, "addTransactions">,
  { count, watch, prefix }: { count: number; watch: "due" | "never"; prefix: string }
): Promise<string[]> {
  const ids = (await simulator.addTransactions(count, 1000)).map(({ id }) => id)
  await run(
    `with opened as (
       select transaction, row_number() over (order by id) as number, count(*) over () as amount
       from payment_service_transaction as transaction
       where transaction_id is not null and state = 'pending'
     )
     insert into payment_service_transaction
     select (jsonb_populate_record(opened.transaction, jsonb_build_object(
       'id', $1::text || added.number, 'transaction_id', added.id,
       -- Young ones would be due again before a long pass has ended.
       'opened_at', clock_timestamp() - interval '3 hours', 'expires_at', clock_timestamp() + interval '12 hours',
       'watch_at', case when $2::boolean then clock_timestamp() - interval '1 minute' end
     ))).*
     from unnest($3::text[]) with ordinality as added (id, number)
     join opened on opened.number = 1 + added.number % opened.amount`,
    [`pstx_${prefix}_`, watch === "due", ids]
  )
  return ids
}

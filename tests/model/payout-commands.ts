import {
  discardPayout,
  editPayout,
  approvePayout,
  makePayout,
} from "../../src/workflows/payouts/draft-payout"
import { recordLostPayouts, reportUnknownPayouts } from "../../src/workflows/payouts/lost-payouts"
import { markPayout } from "../../src/workflows/payouts/mark-payout"
import { sendPayout } from "../../src/workflows/payouts/send-payout"
import type { PayoutAdmin } from "../../src/workflows/payouts/rules"
import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../../src/settlement/payouts/payout"
import { actionsFor } from "../../src/settlement/problems"
import type { Problem } from "./books"
import { actAndPerhapsDie, pick } from "./commands"
import { CARD_ID } from "./module"
import type { Deed, PayoutCommand } from "./payout-stories"
import type { World } from "./world"

const NUMBERS = ["4242424242424242", "5555555555554444"]

export async function obeyAboutPayouts(world: World, command: PayoutCommand): Promise<void> {
  const { books, payouts, processes, remotePayouts } = world
  switch (command.do) {
    case "make payout": {
      const open = books.problems.filter(
        ({ closed_at, kind }) => closed_at === null && actionsFor(kind).includes("pay_out")
      )
      const problem = command.problem === null ? null : (pick(open, command.problem) ?? null)
      const orders = [...world.shop.orders.keys()]
      const isForOrder = command.problem === null && command.order !== null
      const orderId = isForOrder ? (pick(orders, command.order ?? 0) ?? null) : null
      const amount = amountFor(problem, command.amount)
      const { isTyped } = command
      processes.spawn("make payout", () =>
        make(world, { problem, orderId, amount, isTyped, admin: anAdmin(command.admin) })
      )
      return
    }
    case "payout": {
      const payout = pick(payouts.list(), command.payout)
      if (!payout) return
      const { deed, admin, number, diesAfter } = command
      await actAndPerhapsDie(world, deed, diesAfter, () =>
        act(world, payout.id, deed, { admin: anAdmin(admin), number: NUMBERS[number] ?? "" })
      )
      return
    }
    case "answer payouts":
      remotePayouts.next = { how: command.how, times: command.times }
      remotePayouts.isConflicting = command.isConflicting
      return
    case "look after payouts":
      processes.spawn("look after payouts", () => lookAfterPayouts(world))
  }
}

/** The job that looks after payouts whose process is gone. */
export async function lookAfterPayouts({ payoutPorts }: World): Promise<void> {
  await recordLostPayouts(payoutPorts)
  await reportUnknownPayouts(payoutPorts)
}

/** An admin pays out what is left of a problem's money, and a second one approves it where that is needed. */
export async function payBack(world: World, problem: Problem): Promise<void> {
  const [maker, approver] = [anAdmin(0), anAdmin(1)]
  const amount = amountFor(problem, 0)
  const id = await make(world, { problem, orderId: null, amount, isTyped: false, admin: maker })
  if (world.payoutRules?.approval) {
    await act(world, id, "approve", { admin: approver, number: "" })
  }
  await act(world, id, "send", { admin: maker, number: "" })
}

async function make(
  { payoutPorts }: World,
  wanted: {
    problem: Problem | null
    orderId: string | null
    amount: number
    isTyped: boolean
    admin: PayoutAdmin
  }
): Promise<string> {
  const { problem, orderId, amount, isTyped, admin } = wanted
  const { id } = await makePayout(
    payoutPorts,
    {
      ...{ cardId: isTyped ? null : CARD_ID, amount, note: null, orderId, account: null },
      ...{ problemId: problem?.id ?? null, confirmSimilar: true },
    },
    admin
  )
  return id
}

async function act(
  { payoutPorts: ports, payouts }: World,
  id: string,
  deed: Deed,
  { admin, number }: { admin: PayoutAdmin; number: string }
): Promise<void> {
  switch (deed) {
    case "approve":
      await approvePayout(ports, id, { revision: null }, admin)
      return
    case "send":
    case "send again": {
      const isTyped = payouts.read(id).card_id === null
      await sendPayout(
        ports,
        id,
        {
          cardNumber: isTyped ? number : null,
          again: deed === "send again",
          ...{ confirmSimilar: true, revision: null },
        },
        admin
      )
      return
    }
    case "mark as sent":
    case "mark as not sent":
      await markPayout(
        ports,
        id,
        { sent: deed === "mark as sent", note: "looked", attempts: null },
        admin
      )
      return
    case "edit": {
      const { amount } = payouts.read(id)
      await editPayout(ports, id, { amount: amount + 1, confirmSimilar: true }, admin)
      return
    }
    case "discard":
      await discardPayout(ports, id, admin)
  }
}

/** Of a problem's money all whole rubles, all but some, or too much. */
function amountFor(problem: Problem | null, choice: number): number {
  const all = Math.floor(Number(problem?.amount ?? 1_500))
  const wanted = [all, all, SMALLEST_PAYOUT, all - SMALLEST_PAYOUT, all - 1, all + 1][choice] ?? all
  return Math.min(Math.max(wanted, SMALLEST_PAYOUT), LARGEST_PAYOUT)
}

function anAdmin(number: number): PayoutAdmin {
  const id = `admin_${number}`
  return { id, name: id, email: `${id}@shop.test`, address: null }
}

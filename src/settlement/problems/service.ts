import {
  CALLBACK_UNREADABLE,
  causeOfMissingAccount,
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfUnread,
} from "../cause"
import type { MerchantAccount } from "../merchant-account"
import { entry } from "./entry"
import { type Refusal, refusalText } from "./refusals"
import { counted, time } from "../../texts"

/** One transaction could not be read for so long that it was given up. */
export interface GivenUpFacts {
  row: string
  transaction: string
  reason: Refusal
}

export const SERVICE_PROBLEMS = {
  /** A callback came to the right address but named no transaction. */
  callback_unreadable: entry<Record<string, never>>({
    cause: () => CALLBACK_UNREADABLE,
    opensAgain: "always",
    actions: ["handle"],
    closes: {
      en: "Does not close by itself.",
      ru: "Сама не закроется.",
    },
    text: () => ({
      en:
        "A callback came to the right address and named no transaction. If the service has changed its callbacks, " +
        "payments are found by scheduled checks only; if it was not the service, make a new callback address.",
      ru:
        "На верный адрес пришло уведомление, в котором не названа ни одна транзакция. Если сервис изменил свои " +
        "уведомления, оплаты будут находиться только при проверках по расписанию; если уведомление прислал не " +
        "сервис, создайте новый адрес для уведомлений.",
    }),
  }),

  /**
   * The service has not answered for a merchant for a long time. Or one transaction was given up unread; that opens again when a
   * callback named it and another attempt failed.
   */
  service_unreachable: entry<(MerchantAccount & { since: string }) | GivenUpFacts>({
    cause: (facts) => ("row" in facts ? causeOfUnread(facts.row) : causeOfSilence(facts)),
    opensAgain: (facts) => ("row" in facts ? "when_newer" : "always"),
    actions: ["retry", "handle"],
    closes: {
      en: "Closes by itself when the service answers.",
      ru: "Закроется сама, когда сервис ответит.",
    },
    text: (facts) => {
      if ("row" in facts) {
        const { row, transaction, reason } = facts
        const why = refusalText(reason)
        return {
          en:
            `Transaction ${transaction} (${row}) could not be read for a week and is no longer checked: ` +
            `${why.en}. If it was paid, the service has the money and nothing in Medusa shows it.`,
          ru:
            `Транзакцию ${transaction} (${row}) не удавалось проверить целую неделю, и больше она не проверяется: ` +
            `${why.ru}. Если она оплачена, деньги находятся у сервиса, а в Medusa не отражены.`,
        }
      }
      const { baseUrl, merchantId } = facts
      const since = time(facts.since)
      return {
        en:
          `The payment service at ${baseUrl} has answered nothing about merchant ${merchantId} since ${since.en}. ` +
          "Payments are settled as soon as it does.",
        ru:
          `Платёжный сервис по адресу ${baseUrl} не отвечает на запросы о мерчанте ${merchantId} с ${since.ru}. ` +
          "Оплаты будут учтены, как только он ответит.",
      }
    },
  }),

  /** The service refuses the merchant's secret, so nothing can be read or opened. */
  credentials_refused: entry<MerchantAccount>({
    cause: causeOfRefusedCredentials,
    opensAgain: "always",
    actions: ["handle"],
    closes: {
      en: "Closes by itself when the service accepts the credentials.",
      ru: "Закроется сама, когда сервис примет учётные данные.",
    },
    text: ({ baseUrl, merchantId }) => ({
      en:
        `The service at ${baseUrl} refuses the credentials of merchant ${merchantId}. Check merchantId and secret ` +
        "in the options.",
      ru:
        `Сервис по адресу ${baseUrl} не принимает учётные данные мерчанта ${merchantId}. Проверьте настройки ` +
        "merchantId и secret.",
    }),
  }),

  /**
   * No account of the options has the merchant and address of these transactions any more, so they cannot be read. It opens again
   * when one falls due after a person closed it.
   */
  not_configured: entry<MerchantAccount & { count: number; oldest: string }>({
    cause: causeOfMissingAccount,
    opensAgain: "when_newer",
    actions: ["handle"],
    closes: {
      en: "Closes by itself when an account has this merchant and this address again.",
      ru: "Закроется сама, когда в настройках снова будет учётная запись с этим мерчантом и этим адресом.",
    },
    text: ({ baseUrl, merchantId, count, ...facts }) => {
      const oldest = time(facts.oldest)
      const transactions = counted(
        count,
        ["transaction", "transactions"],
        ["транзакция", "транзакции", "транзакций"]
      )
      return {
        en:
          `${transactions.en} of merchant ${merchantId} at ${baseUrl}, the oldest of ${oldest.en}, ` +
          `${count === 1 ? "is" : "are"} not checked: no account in the options has this merchant and this ` +
          "address. Add the account to the options again, and they will be checked again by themselves.",
        ru:
          `Не проверяются: ${transactions.ru} мерчанта ${merchantId} по адресу ${baseUrl}, самая ранняя — от ` +
          `${oldest.ru}. В настройках нет учётной записи с этим мерчантом и этим адресом. Добавьте её снова, и ` +
          "проверки возобновятся сами.",
      }
    },
  }),
}

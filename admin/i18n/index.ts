import storeExportsEn from "../../src/exports/texts.en.json"
import storeExportsRu from "../../src/exports/texts.ru.json"
import storePayoutsEn from "../../src/payouts/texts.en.json"
import storePayoutsRu from "../../src/payouts/texts.ru.json"
import storeProblemsEn from "../../src/problems/texts.en.json"
import storeProblemsRu from "../../src/problems/texts.ru.json"
import en from "./en.json"
import exportsEn from "./exports.en.json"
import exportsRu from "./exports.ru.json"
import overviewEn from "./overview.en.json"
import overviewRu from "./overview.ru.json"
import payoutsEn from "./payouts.en.json"
import payoutsRu from "./payouts.ru.json"
import problemsEn from "./problems.en.json"
import problemsRu from "./problems.ru.json"
import ru from "./ru.json"
import settingsEn from "./settings.en.json"
import settingsRu from "./settings.ru.json"
import subscriptionsEn from "./subscriptions.en.json"
import subscriptionsRu from "./subscriptions.ru.json"

// The namespace is our own: the dashboard merges the texts of all plugins, and "translation" is the dashboard's.
export default {
  en: {
    paymentService: {
      ...en,
      ...overviewEn,
      payout: { ...payoutsEn.payout, states: storePayoutsEn.payoutStates },
      ...problemsEn,
      // Words that the store's files and messages have, too.
      problemKinds: storeProblemsEn.problemKinds,
      standings: storeProblemsEn.standings,
      exceptions: storeProblemsEn.exceptions,
      methods: storeExportsEn.methods,
      ...subscriptionsEn,
      ...settingsEn,
      exports: exportsEn,
    },
  },
  ru: {
    paymentService: {
      ...ru,
      ...overviewRu,
      payout: { ...payoutsRu.payout, states: storePayoutsRu.payoutStates },
      ...problemsRu,
      // Words that the store's files and messages have, too.
      problemKinds: storeProblemsRu.problemKinds,
      standings: storeProblemsRu.standings,
      exceptions: storeProblemsRu.exceptions,
      methods: storeExportsRu.methods,
      ...subscriptionsRu,
      ...settingsRu,
      exports: exportsRu,
    },
  },
}

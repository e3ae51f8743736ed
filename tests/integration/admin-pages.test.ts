import { everyAdminRoute } from "./admin-pages/every-route"
import { exportsForAdmins } from "./admin-pages/exports"
import { morningsLook } from "./admin-pages/overview"
import { listsOfManyRows } from "./admin-pages/many-rows"
import { servicesOwnList } from "./admin-pages/service-list"
import { subscriptionsForAdmins } from "./admin-pages/subscriptions"
import { transactionsForAdmins } from "./admin-pages/transactions"
import { describeWhoMay } from "./admin-pages/who-may"
import { PAYS_OUT } from "./admin"
import { describeStore } from "./store"

describeStore("the pages for admins", { env: PAYS_OUT }, (store) => {
  // Its comparisons would find what is paid in the others.
  describe("the morning's look for admins (promise 8)", () => {
    morningsLook(store)
  })
  describe("transactions for admins (promise 19)", () => {
    transactionsForAdmins(store)
  })
  describe("exports for admins (promise 20)", () => {
    exportsForAdmins(store)
  })
  describe("the service's own list for admins", () => {
    servicesOwnList(store)
  })
  // It lets the service's time pass.
  describe("subscriptions for admins", () => {
    subscriptionsForAdmins(store)
  })
  // It may leave another callback token behind.
  describe("every admin route (promise 22)", () => {
    everyAdminRoute(store)
  })
  describe("long lists for admins", () => {
    listsOfManyRows(store)
  })
})

describeWhoMay()

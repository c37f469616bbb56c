// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An async function polled by hand: coroutine layouts, states, and its upvars; Pin and Context.
// has: "kind":"coroutine"
// has: "name":"Suspend0"
// has: "shim":"drop_glue"
#![no_std]
use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

struct Twice(bool);
impl Future for Twice {
    type Output = u32;
    fn poll(mut self: core::pin::Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u32> {
        if core::mem::replace(&mut self.0, true) { Poll::Ready(1) } else { Poll::Pending }
    }
}

pub struct Noisy<'a>(&'a mut u32);
impl Drop for Noisy<'_> {
    fn drop(&mut self) {
        *self.0 += 100;
    }
}

async fn work(n: u32, out: &mut u32) -> u32 {
    let noisy = Noisy(out);
    let mut sum = 0;
    for i in 0..n {
        sum += Twice(false).await + i;
    }
    *noisy.0 += sum;
    sum
}

#[mirgpu_tool::kernel]
pub fn coroutine(n: u32, out: &mut u32) {
    let mut future = pin!(work(n, out));
    let mut context = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut context).is_pending() {}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Prices of European options by the formula of Black and Scholes: logarithm, exponential and square root for each thread.

use mirgpu_device::prelude::*;

/// One option on a share.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Terms {
    /// The share's price today.
    pub spot: f32,
    /// The price at which the option buys or sells.
    pub strike: f32,
    /// Until then, in years.
    pub years: f32,
}

/// The interest on cash, and how much the share's price moves, both for a year.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Market {
    pub rate: f32,
    pub volatility: f32,
}

#[gpu_module]
mod kernels {
    use super::*;

    /// `prices[i]` = what the right to buy and the right to sell are worth.
    #[kernel]
    pub fn black_scholes(options: &[Terms], market: Market, mut prices: DisjointSlice<[f32; 2]>) {
        if let Some((price, i)) = prices.get_mut_indexed() {
            *price = worth(&options[i.get()], &market);
        }
    }
}

fn worth(option: &Terms, market: &Market) -> [f32; 2] {
    let Terms { spot, strike, years } = *option;
    let spread = market.volatility * years.sqrt();
    let drift = (market.rate + 0.5 * market.volatility * market.volatility) * years;
    let d1 = ((spot / strike).ln() + drift) / spread;
    let (in_money, exercised) = (normal(d1), normal(d1 - spread));
    let owed = strike * (-market.rate * years).exp();
    [spot * in_money - owed * exercised, owed * (1.0 - exercised) - spot * (1.0 - in_money)]
}

/// The share of a normal distribution below `x`: formula 26.2.17 of Abramowitz and Stegun, within 7.5e-8.
fn normal(x: f32) -> f32 {
    const COEFFICIENTS: [f32; 5] = [1.330_274_5, -1.821_256, 1.781_477_9, -0.356_563_78, 0.319_381_54];
    let k = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let sum = COEFFICIENTS.iter().fold(0.0, |sum, c| (sum + c) * k);
    let above = 0.398_942_3 * (-0.5 * x * x).exp() * sum;
    if x > 0.0 { 1.0 - above } else { above }
}

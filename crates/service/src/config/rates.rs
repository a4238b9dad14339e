//! Rate limits per client.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

wyrmgate_base::named_enum! {
    /// A kind of request with its own rate limit.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Bucket {
        /// New sessions, forks, simulations, webhooks and their tests.
        Create = "create",
        /// All other reads.
        List = "list",
        /// Writes other than these. Accepted moves are free.
        Move = "move",
        /// Streams and pages of events.
        Stream = "stream",
        /// Uploads and checks of rules.
        Upload = "upload",
        /// Steps of stateless games.
        Step = "step",
    }
}

/// A number of requests per unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    pub requests: u64,
    pub window: Duration,
}

/// The rate of every bucket: the usual one, unless an operator has set another. Clients on this machine are limited only in
/// buckets whose rate is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rates(HashMap<Bucket, Rate>);

/// One rate as an operator writes it: `create=60/m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateOf(Bucket, Rate);

impl Bucket {
    fn usual_rate(self) -> Rate {
        let requests = match self {
            Bucket::Create => 60,
            Bucket::List | Bucket::Step => 3_000,
            Bucket::Move | Bucket::Stream => 600,
            Bucket::Upload => 30,
        };
        let window = Duration::from_secs(60);
        Rate { requests, window }
    }
}

impl Rates {
    pub fn of(&self, bucket: Bucket) -> Rate {
        self.set(bucket).unwrap_or_else(|| bucket.usual_rate())
    }

    /// Returns the rate of a bucket if an operator has set it.
    pub fn set(&self, bucket: Bucket) -> Option<Rate> {
        self.0.get(&bucket).copied()
    }

    /// Returns these rates with another rate for one bucket.
    pub fn with(mut self, RateOf(bucket, rate): RateOf) -> Rates {
        self.0.insert(bucket, rate);
        self
    }
}

impl FromStr for RateOf {
    type Err = String;

    fn from_str(text: &str) -> Result<RateOf, String> {
        let wrong = || {
            format!(
                "`{text}` is not a rate; write one like create=60/m for create, list, move, stream, upload or step"
            )
        };
        let (name, rate) = text.split_once('=').ok_or_else(wrong)?;
        let mut buckets = Bucket::ALL.into_iter();
        let bucket = buckets.find(|bucket| bucket.name() == name);
        let (requests, unit) = rate.split_once('/').ok_or_else(wrong)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            _ => return Err(wrong()),
        };
        let requests: u64 = requests.parse().map_err(|_| wrong())?;
        if requests == 0 || requests > 1_000_000_000 {
            return Err(wrong());
        }
        let window = Duration::from_secs(seconds);
        Ok(RateOf(bucket.ok_or_else(wrong)?, Rate { requests, window }))
    }
}

impl FromStr for Rates {
    type Err = String;

    /// Reads rates with commas between them.
    fn from_str(text: &str) -> Result<Rates, String> {
        let rates = text.split(',').filter(|rate| !rate.is_empty());
        rates
            .map(str::parse)
            .try_fold(Rates::default(), |rates, rate| Ok(rates.with(rate?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_names_its_bucket() {
        let rates = Rates::default().with("create=5/h".parse().unwrap());
        assert_eq!(rates.of(Bucket::Create).requests, 5);
        assert_eq!(rates.of(Bucket::Create).window.as_secs(), 3600);
        assert_eq!(rates.of(Bucket::List), Rates::default().of(Bucket::List));
        for wrong in ["create", "create=5", "fly=5/s", "move=0/s", "move=5/d"] {
            assert!(wrong.parse::<RateOf>().is_err(), "{wrong}");
        }
    }
}
